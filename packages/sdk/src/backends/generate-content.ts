import { adapterOptions, type CreateBackend } from "./order.js";

export async function generateContent(): Promise<CreateBackend> {
  const { createGemini } = await import("@massgen/backend-gemini");
  return (order) => createGemini(adapterOptions(order));
}
