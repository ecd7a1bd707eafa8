import { randomInt } from 'node:crypto'
import { context, propagation, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import type { Attributes, Context } from '@opentelemetry/api'
import type { Database } from '@guildhall/db'
import type { Config } from '../config.ts'

/**
 * Traces from the request through the database and the job to the mail, in the format of OpenTelemetry; off unless an operator names a collector.
 * While it is off nothing is recorded and nothing is carried along.
 */
export async function startTracing({ TRACES_URL, TRACES_SHARE }: Config): Promise<() => Promise<void>> {
  if (!TRACES_URL) return async () => {}
  const { BatchSpanProcessor, NodeTracerProvider, ParentBasedSampler, TraceIdRatioBasedSampler } =
    await import('@opentelemetry/sdk-trace-node')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const provider = new NodeTracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(TRACES_SHARE) }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: TRACES_URL }))],
  })
  provider.register()
  share = TRACES_SHARE
  isOn = true
  return async () => {
    await provider.shutdown()
    isOn = false
    // One process may start and end several times, as tests do; a second provider is refused while the first is registered.
    for (const part of [trace, context, propagation]) part.disable()
  }
}

let isOn = false
let share = 0
const shareSteps = 1_000_000

type Traced = { kind?: SpanKind; attributes?: Attributes; parent?: Context }

/** Runs `work` inside a span. Attributes never hold what people wrote. */
export function traced<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, parent = context.active() }: Traced,
  work: () => Promise<T>,
): Promise<T> {
  if (!isOn) return work()
  return trace.getTracer('guildhall').startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Gives the span of this request the name of the operation, once that is known. */
export const nameRequest = (operation: string): void => void trace.getActiveSpan()?.updateName(operation)

export const requestKind = SpanKind.SERVER
export const jobKind = SpanKind.CONSUMER
export const outboundKind = SpanKind.CLIENT

/** The trace that a job of ours belongs to. */
export const traceOf = (traceparent: unknown): Context => propagation.extract(context.active(), { traceparent })

/**
 * The trace that a caller began. Whether it is recorded is drawn here: callers may ask for it, and choose an id that a draw by ids would always
 * keep. Whatever else they send along, tracestate and baggage, would be kept as it is and is not read.
 */
export function traceOfCaller(traceparent: unknown): Context {
  const begun = isOn ? trace.getSpanContext(traceOf(traceparent)) : undefined
  if (!begun) return context.active()
  const isRecorded = (begun.traceFlags & TraceFlags.SAMPLED) !== 0 && randomInt(shareSteps) < share * shareSteps
  return trace.setSpanContext(context.active(), { ...begun, traceFlags: isRecorded ? TraceFlags.SAMPLED : TraceFlags.NONE })
}

/** What to send along, so that whoever goes on with it belongs to this trace; nothing while tracing is off. */
export function traceAlong(): Record<string, string> {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return carrier['traceparent'] ? { traceparent: carrier['traceparent'] } : {}
}

/** The same database, with a span for every transaction. */
export const traceDatabase = (database: Database): Database => ({
  ...database,
  asActor: (actor, run, options) => traced('transaction', { kind: outboundKind }, () => database.asActor(actor, run, options)),
  read: (actor, query) => traced('read', { kind: outboundKind }, () => database.read(actor, query)),
  withoutActor: (run, options) => traced('transaction', { kind: outboundKind }, () => database.withoutActor(run, options)),
})
