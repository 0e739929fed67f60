import { readFileSync } from "node:fs";
import { openReplay, type ReplayServer, type ReplayVendor, type Reply } from "@massgen/testing/node";
import { brokenRules } from "./vendor-rules.js";

export type { ReplayServer, Reply };

const vendor: ReplayVendor = {
  recordings: new URL("../recordings/", import.meta.url),
  basePath: "/v1",
  brokenRules,
  refusal: (message) => ({ error: { message, type: "invalid_request_error" } }),
};

export const openReplayServer = (...replies: readonly Reply[]): Promise<ReplayServer> => openReplay(vendor, replies);

export const recording = (name: string): Buffer => readFileSync(new URL(name, vendor.recordings));
