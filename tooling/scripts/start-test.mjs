import { install } from "./install.mjs";

await install();
await import("./check.mjs");
