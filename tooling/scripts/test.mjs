// `npm test`: everything that is checked, on a machine that has only Node.
import "./require-node.mjs";

void import("./start-test.mjs");
