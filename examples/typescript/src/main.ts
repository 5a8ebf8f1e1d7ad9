// Plays a public game, always the heaviest legal tile, and prints how it ended.

import { signIn, type Connection } from "./connection.js";
import { Game } from "./game.js";
import type { Assignment } from "./gen/capicua/api/v1/table_service_pb.js";
import type { Play } from "./gen/capicua/api/v1/types_pb.js";

async function quickMatch(connection: Connection, variant: string): Promise<Assignment> {
  for await (const { state } of connection.tables.quickMatch({ options: { variant } })) {
    if (state.case === "assigned") return state.value;
    if (state.case === "waiting") console.log(`waiting: ${state.value.waiting} of ${state.value.seats}`);
  }
  throw new Error("the server ended the queue without a seat");
}

function heaviest(plays: Play[]): Play {
  const pips = ({ tile }: Play) => tile!.high + tile!.low;
  return plays.reduce((best, play) => (pips(play) > pips(best) ? play : best));
}

const connection = await signIn(process.argv[2] ?? "127.0.0.1:7600", "Ana");
const { gameId, seat } = await quickMatch(connection, "block");
const game = new Game(connection.games, gameId);
let scores: number[] = [];
let winner: number | undefined;
for await (const item of game.follow()) {
  if (item.case === "reset") {
    const view = item.value.view!;
    ({ scores, winnerSide: winner } = view);
    if (view.legal.length > 0) game.play(heaviest(view.legal));
  } else if (item.value.event.case === "turnStarted") {
    const { legal } = item.value.event.value;
    // Only the seat's own viewer is told what is legal.
    if (legal.length > 0) game.play(heaviest(legal));
  } else if (item.value.event.case === "gameEnded") {
    ({ scores, winnerSide: winner } = item.value.event.value);
  }
}
console.log(winner === seat % scores.length ? "won" : "lost", scores.join(" "));
connection.close();
