// `npm run demo`: the whole of MassGen on a machine that has only Node. Installs, builds, and becomes `massgen demo`.
import "./require-node.mjs";

void import("./start-demo.mjs");
