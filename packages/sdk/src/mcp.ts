// The MCP servers of a config by themselves, without a run and without the engine.

export {
  type InspectedServer,
  type InspectOptions,
  inspectServers,
  logInToServer,
  logOutOfServer,
  type ServerInspection,
} from "./inspect-servers.js";
