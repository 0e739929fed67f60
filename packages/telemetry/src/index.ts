import type { Telemetry, TelemetryOptions } from "./telemetry.js";

export type { RunTelemetry, Telemetry, TelemetryOptions } from "./telemetry.js";
export { type TelemetryTarget, telemetryTarget } from "./where.js";

/** Begins to send what the facts of runs measure. The libraries for it are loaded with the first call. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  return (await import("./telemetry.js")).openTelemetry(options);
}
