import type { Telemetry, TelemetryOptions } from "./telemetry.js";

export type { Telemetry, TelemetryOptions } from "./telemetry.js";
export { type TelemetryTarget, telemetryTarget } from "./where.js";

/** Begins to send what the facts of a run measure. The libraries for it are loaded with the first call. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  return (await import("./telemetry.js")).openTelemetry(options);
}
