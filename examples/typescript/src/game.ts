// One game, followed and played over as many connections as it takes.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Client } from "@connectrpc/connect";
import { ErrorReason } from "./gen/capicua/api/v1/error_reason_pb.js";
import type { GameService, SessionRequestSchema } from "./gen/capicua/api/v1/game_service_pb.js";
import { GameState, type Play } from "./gen/capicua/api/v1/types_pb.js";
import type { CommandAnswer, Frame, Update } from "./gen/capicua/api/v1/update_pb.js";
import { Outbox } from "./outbox.js";

type Request = MessageInitShape<typeof SessionRequestSchema>;
/** The whole view, or one step. */
type Item = Extract<Frame["frame"], { case: "reset" | "update" }>;

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** A session that the server ends so can be opened again: UNAVAILABLE, RESYNC, INTERNAL. */
const PASSING = [Code.Unavailable, Code.ResourceExhausted, Code.Internal];

export class Game {
  /** The last seq that was taken; 0 asks for a whole view. */
  #lastSeq = 0n;
  #over = false;
  /** The commands without an answer, by request id: each new connection sends them again. */
  #unanswered = new Map<string, Request>();
  #outbox = new Outbox<Request>();

  constructor(
    private readonly games: Client<typeof GameService>,
    private readonly gameId: string,
  ) {}

  /** First the whole view, then every update once, in order, to the end of the game. */
  async *follow(): AsyncGenerator<Item> {
    let longest = FIRST_WAIT_MS;
    for (;;) {
      for await (const item of this.#connection()) {
        longest = FIRST_WAIT_MS;
        yield item;
      }
      if (this.#over) return;
      console.log(`connection lost: on from seq ${this.#lastSeq}`);
      // At random, so that the clients of a server that was restarted do not come back all at once.
      await sleep(Math.random() * longest);
      longest = Math.min(longest * 2, LONGEST_WAIT_MS);
    }
  }

  /** Place a tile. Carried out once, however often it must be sent; what comes of it is in the updates. */
  play(play: Play): void {
    const requestId = randomUUID();
    const command = { gameId: this.gameId, requestId, expectedSeq: this.#lastSeq };
    const request: Request = {
      request: { case: "command", value: { ...command, command: { case: "playTile", value: { play } } } },
    };
    this.#unanswered.set(requestId, request);
    this.#outbox.push(request);
  }

  /** What one connection tells, until it breaks or a new one is needed. */
  async *#connection(): AsyncGenerator<Item> {
    const end = new AbortController();
    this.#outbox = new Outbox();
    this.#outbox.push({ request: { case: "watch", value: { gameId: this.gameId, lastSeenSeq: this.#lastSeq } } });
    for (const command of this.#unanswered.values()) this.#outbox.push(command);
    try {
      for await (const { frames } of this.games.session(this.#outbox, { signal: end.signal })) {
        for (const frame of frames) {
          const item = this.#take(frame);
          if (item === "resume") return;
          if (item !== "nothing") yield item;
          if (this.#over) return;
        }
      }
    } catch (error) {
      if (!passes(error)) throw error;
    } finally {
      end.abort();
    }
  }

  #take({ frame }: Frame): Item | "nothing" | "resume" {
    switch (frame.case) {
      case "reset":
        this.#lastSeq = frame.value.view!.seq;
        this.#over = frame.value.view!.state === GameState.FINISHED;
        return frame;
      case "update":
        return this.#news(frame.value) ?? frame;
      case "answer":
        this.#answered(frame.value);
        return "nothing";
      case "notice":
        if (frame.value.refusal!.reason === ErrorReason.UNAVAILABLE) return "resume";
        throw new Error(`refused: ${frame.value.refusal!.message}`);
      default:
        // A seat of another game, or a kind of frame that is newer than this client.
        return "nothing";
    }
  }

  /** Undefined for the next update, which is counted. */
  #news(update: Update): "nothing" | "resume" | undefined {
    if (update.seq <= this.#lastSeq) return "nothing";
    if (update.seq > this.#lastSeq + 1n) return "resume";
    if (update.event.case === undefined) {
      // Newer than this client: only a whole view helps.
      this.#lastSeq = 0n;
      return "resume";
    }
    this.#lastSeq = update.seq;
    this.#over = update.event.case === "gameEnded";
    return undefined;
  }

  #answered({ requestId, outcome }: CommandAnswer): void {
    const command = this.#unanswered.get(requestId);
    if (command === undefined) return;
    if (outcome.case === "refused" && outcome.value.reason === ErrorReason.UNAVAILABLE) {
      setTimeout(() => this.#outbox.push(command), Math.random() * 1000);
      return;
    }
    this.#unanswered.delete(requestId);
    // STALE_SEQ: the turn had just expired, and the server has played. The updates tell it.
    if (outcome.case === "refused" && outcome.value.reason !== ErrorReason.STALE_SEQ) {
      console.error(`a play was refused: ${outcome.value.message}`);
    }
  }
}

/** Whether a new connection may cure it: the network always, a refusal of the server if its status says so. */
function passes(error: unknown): boolean {
  if (!(error instanceof ConnectError)) return false;
  const refused = error.details.some((detail) => "type" in detail && detail.type === "google.rpc.ErrorInfo");
  return !refused || PASSING.includes(error.code);
}
