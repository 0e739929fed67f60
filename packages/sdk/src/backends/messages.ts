import { adapterOptions, type CreateBackend } from "./order.js";

export async function messages(): Promise<CreateBackend> {
  const { createAnthropic } = await import("@massgen/backend-anthropic");
  return (order) => createAnthropic(adapterOptions(order));
}
