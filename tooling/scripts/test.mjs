// `npm test`: everything that is checked, on a machine that has only Node.
import "./require-node.mjs";

import("./start-test.mjs");
