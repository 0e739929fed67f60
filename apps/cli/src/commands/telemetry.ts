import { openTelemetry, type Telemetry, telemetryTarget } from "@massgen/telemetry";
import type { Io } from "../io.js";

/** Where spans and metrics go; `null`, and nothing of it is loaded, where the environment names no collector. */
export async function telemetryOf(
  { env, version }: Pick<Io, "env" | "version">,
  onWarning: (message: string) => void,
): Promise<Telemetry | null> {
  const target = telemetryTarget(env);
  return target === null ? null : await openTelemetry({ target, version, onWarning });
}
