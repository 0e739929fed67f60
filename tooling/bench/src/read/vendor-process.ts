import { type SimulatedApi, startSimulator } from "@massgen/simulator";
import { writeProse } from "../fake-vendor/prose.js";

/** One text for every request; the model's name ends with the tokens in a packet: `bench-by-10`. */
export interface PacedText {
  readonly tokens: number;
  readonly tokensPerSecond: number;
  /** Responses of a conversation that call the tool `save` besides, before the last one that only answers. Default 0. */
  readonly toolTurns?: number;
}

/** What the process says when it listens. */
export type VendorAddresses = Readonly<Record<SimulatedApi, string>>;

// A process of its own: what the vendor costs must not count as what its reader costs.
const { tokens, tokensPerSecond, toolTurns = 0 } = JSON.parse(process.argv[2] ?? "{}") as PacedText;
const text = writeProse(tokens, "answer");
const vendor = await startSimulator({
  bodies: "forget",
  respond: ({ model, messages }) => ({
    kind: "message",
    text,
    ...(messages.filter(({ role }) => role === "tool").length < toolTurns
      ? { toolCalls: [{ name: "save", input: { content: "note" } }] }
      : {}),
    pace: { firstTokenMs: 0, tokensPerSecond, tokensPerPacket: Number(model.split("-by-")[1] ?? 1) },
  }),
});
const addresses: VendorAddresses = {
  chat_completions: vendor.baseUrl("chat_completions"),
  responses: vendor.baseUrl("responses"),
  messages: vendor.baseUrl("messages"),
  generate_content: vendor.baseUrl("generate_content"),
};
process.send?.(addresses);
process.once("disconnect", () => void vendor.close());
