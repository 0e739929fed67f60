export { openReplay, type ReplayServer, type ReplayVendor, type Reply, type SeenRequest } from "./replay-server.js";
