import type { Recorded } from "@massgen/contracts";
import { type Context, ROOT_CONTEXT, trace, ValueType } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { createRunSpans } from "./run-spans.js";
import type { TelemetryTarget } from "./where.js";

/** Hears the facts of one run. */
export interface RunTelemetry {
  record(fact: Recorded): void;
  /** Ends what is open. Idempotent. */
  end(): void;
}

/** Sends what runs measure, any number of them at once. */
export interface Telemetry {
  /** `simulated`: no model is asked; the span of the run says so. Default: false. */
  run(options?: { readonly simulated?: boolean }): RunTelemetry;
  /** Ends what is open and sends what is left, for five seconds at most. Never rejects. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  readonly target: TelemetryTarget;
  /** Version of MassGen. */
  readonly version: string;
  /** Told once, in words for people, when the collector does not take what is sent. */
  readonly onWarning?: (message: string) => void;
}

const PATIENCE_MS = 5_000;
/** Bounds of the histograms, as the conventions for generative AI give them. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

/** Nothing global is registered: other telemetry of the process is neither used nor changed. */
export function openTelemetry({ target, version, onWarning = () => {} }: TelemetryOptions): Telemetry {
  const { tracesUrl, metricsUrl, headers } = target;
  const resource = resourceFromAttributes({ ...target.resource, "service.version": version });
  const warn = once((url) => onWarning(`${url} does not take traces or metrics; the run is not affected.`));
  const common = { headers: { ...headers }, timeoutMillis: PATIENCE_MS };
  const tracers = new BasicTracerProvider({
    resource,
    spanProcessors:
      tracesUrl === null
        ? []
        : [new BatchSpanProcessor(watched(new OTLPTraceExporter({ ...common, url: tracesUrl }), () => warn(tracesUrl)))],
  });
  const meters = new MeterProvider({
    resource,
    readers:
      metricsUrl === null
        ? []
        : [
            new PeriodicExportingMetricReader({
              exporter: watched(new OTLPMetricExporter({ ...common, url: metricsUrl }), () => warn(metricsUrl)),
              exportIntervalMillis: 30_000,
            }),
          ],
  });
  const meter = meters.getMeter("massgen", version);
  const tracer = tracers.getTracer("massgen", version);
  const instruments = {
    duration: meter.createHistogram("gen_ai.client.operation.duration", {
      unit: "s",
      description: "How long requests to models take.",
      advice: { explicitBucketBoundaries: SECONDS },
    }),
    tokens: meter.createHistogram("gen_ai.client.token.usage", {
      unit: "{token}",
      valueType: ValueType.INT,
      description: "Tokens that requests use.",
      advice: { explicitBucketBoundaries: TOKENS },
    }),
  };
  const open = new Set<RunTelemetry>();
  return {
    run({ simulated = false } = {}) {
      const spans = createRunSpans(tracer, instruments, parentOf(target), simulated ? { "massgen.simulated": true } : {});
      const run: RunTelemetry = {
        record: spans.record,
        end() {
          spans.end();
          open.delete(run);
        },
      };
      open.add(run);
      return run;
    },
    async close() {
      for (const run of open) run.end();
      await within(PATIENCE_MS, Promise.allSettled([tracers.shutdown(), meters.shutdown()]));
    },
  };
}

function parentOf({ parent }: TelemetryTarget): Context {
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true });
}

/** Tells of a failure, which the libraries keep to themselves. */
function watched<Batch, E extends { export(batch: Batch, done: (result: { readonly code: number }) => void): void }>(
  exporter: E,
  onFailure: () => void,
): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      if (result.code !== 0) onFailure();
      done(result);
    });
  return exporter;
}

function once(tell: (text: string) => void): (text: string) => void {
  let told = false;
  return (text) => {
    if (told) return;
    told = true;
    tell(text);
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
