type Environment = Readonly<Record<string, string | undefined>>;

/** Where spans and metrics go, as the variables of OpenTelemetry say; `null` when they say nothing, and nothing is loaded. */
export interface TelemetryTarget {
  /** `null`: none of them go anywhere. */
  readonly tracesUrl: string | null;
  readonly metricsUrl: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  /** `TRACEPARENT`: the span of whoever started us. */
  readonly parent: { readonly traceId: string; readonly spanId: string; readonly flags: number } | null;
}

/**
 * Reads `OTEL_EXPORTER_OTLP_ENDPOINT`, `_TRACES_ENDPOINT`, `_METRICS_ENDPOINT`, `_HEADERS`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_EXPORTER` and `OTEL_METRICS_EXPORTER` (`none`), `OTEL_SDK_DISABLED`, `TRACEPARENT`.
 */
export function telemetryTarget(env: Environment): TelemetryTarget | null {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return null;
  const base = env["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() || null;
  const urlOf = (own: string | undefined, path: string): string | null =>
    own?.trim() || (base === null ? null : `${base.replace(/\/+$/, "")}${path}`);
  const tracesUrl = env["OTEL_TRACES_EXPORTER"] === "none" ? null : urlOf(env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"], "/v1/traces");
  const metricsUrl = env["OTEL_METRICS_EXPORTER"] === "none" ? null : urlOf(env["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"], "/v1/metrics");
  if (tracesUrl === null && metricsUrl === null) return null;
  return {
    tracesUrl,
    metricsUrl,
    headers: pairsIn(env["OTEL_EXPORTER_OTLP_HEADERS"]),
    resource: { "service.name": "massgen", ...pairsIn(env["OTEL_RESOURCE_ATTRIBUTES"]), ...nameIn(env["OTEL_SERVICE_NAME"]) },
    parent: parentIn(env["TRACEPARENT"]),
  };
}

const nameIn = (name: string | undefined): Record<string, string> => (name === undefined || name === "" ? {} : { "service.name": name });

/** `key=value,key=value`, values percent-encoded. */
function pairsIn(text = ""): Record<string, string> {
  const pairs = text.split(",").flatMap((pair): readonly (readonly [string, string])[] => {
    const at = pair.indexOf("=");
    return at <= 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parentIn(text: string | undefined): TelemetryTarget["parent"] {
  const [, traceId, spanId, flags] = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(text ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags ?? "0", 16) };
}
