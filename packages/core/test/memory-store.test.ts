import { describeEventStore } from "@massgen/testing/suites";
import { memoryStore } from "../src/index.js";

describeEventStore("memoryStore", async () => memoryStore());
