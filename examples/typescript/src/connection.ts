// What a signed-in player calls: the services of the API, each call with the player's token.

import { createClient, type Client, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { GameService } from "./gen/capicua/api/v1/game_service_pb.js";
import { PlayerService } from "./gen/capicua/api/v1/player_service_pb.js";
import { TableService } from "./gen/capicua/api/v1/table_service_pb.js";

export interface Connection {
  tables: Client<typeof TableService>;
  games: Client<typeof GameService>;
  close(): void;
}

/** Sign in as a new guest. A client that comes back keeps `token` and skips this: it is valid for 90 days. */
export async function signIn(server: string, name: string): Promise<Connection> {
  const baseUrl = `http://${server}`;
  // Pings tell within 15 seconds that a silent connection is dead.
  const sessionManager = new Http2SessionManager(baseUrl, { pingIntervalMs: 10_000, pingTimeoutMs: 5_000 });
  let token = "";
  const authorize: Interceptor = (next) => (request) => {
    if (token !== "") request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  const transport = createGrpcTransport({ baseUrl, sessionManager, interceptors: [authorize] });
  ({ token } = await createClient(PlayerService, transport).signIn({ name }));
  return {
    tables: createClient(TableService, transport),
    games: createClient(GameService, transport),
    close: () => sessionManager.abort(),
  };
}
