import { adapterOptions, type CreateBackend, organizationHeader } from "./order.js";

export async function responses(): Promise<CreateBackend> {
  const { createOpenAI } = await import("@massgen/backend-openai");
  return (order) => createOpenAI({ ...adapterOptions(order), ...organizationHeader(order.config) });
}
