import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'

/** Where something happens: the trace and the span that the next spans are children of. */
export interface Place {
  traceId: string
  spanId: string
  /** The round of scheduled work that holds the spans below it back. */
  round?: Round
}
interface Round {
  spans: Span[]
  isWanted: boolean
}

type Value = string | number | boolean
/** A span that has ended. Attributes name kinds and numbers, never texts of people, parameters or secrets. */
export interface Span {
  traceId: string
  spanId: string
  parentId?: string
  name: string
  kind: 'internal' | 'server' | 'client' | 'consumer'
  /** Milliseconds since 1970. */
  from: number
  to: number
  attributes: Record<string, Value>
  failed?: boolean
}

/** Takes ended spans; set once, before the database is opened. Without it nothing is measured. */
let take: ((span: Span) => void) | undefined
export const isTracing = (): boolean => take !== undefined
export const traceTo = (sink: ((span: Span) => void) | undefined): void => {
  take = sink
}
export const record = (span: Span): void => take?.(span)

const places = new AsyncLocalStorage<Place>()
export const placeNow = (): Place | undefined => places.getStore()
export const at = <T>(place: Place, work: () => T): T => places.run(place, work)

export const newSpanId = (): string => randomBytes(8).toString('hex')
export const now = (): number => performance.timeOrigin + performance.now()

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/
/** Reads a `traceparent` of W3C Trace Context. Zeros are invalid. */
export function readParent(text: unknown): Place | undefined {
  const [, traceId = '', spanId = ''] = (typeof text === 'string' && form.exec(text)) || []
  return /[1-9a-f]/.test(traceId) && /[1-9a-f]/.test(spanId) ? { traceId, spanId } : undefined
}
export const writeParent = ({ traceId, spanId }: Place): string => `00-${traceId}-${spanId}-01`

/** The span of an attempt: every process computes the same id, so that none has to tell another. */
export function placeOfAttempt(parent: Place, action: number, attempt: number): Place {
  const text = `${parent.traceId}/${action}/${attempt}`
  return { traceId: parent.traceId, spanId: createHash('sha256').update(text).digest('hex').slice(0, 16) }
}

/** A round that took this many milliseconds is sent. */
const SLOW_MS = 100
const MOST_HELD = 2000

/**
 * Measures a round of scheduled work as a trace of its own. Most rounds find nothing to do, every second: only those are sent
 * that fail, that are slow, or that start a workflow.
 */
export async function inRound<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!take) return work()
  const place = { traceId: randomBytes(16).toString('hex'), spanId: newSpanId() }
  const round: Round = { spans: [], isWanted: false }
  const from = now()
  let failed = true
  try {
    const done = await at({ ...place, round }, work)
    failed = false
    return done
  } finally {
    const whole: Span = { ...place, name: `round ${name}`, kind: 'internal', from, to: now(), attributes: {}, failed }
    if (failed || round.isWanted || whole.to - from >= SLOW_MS) for (const span of [...round.spans, whole]) record(span)
  }
}

/** Measures `work` as a child of the present span. Without one nothing is measured. */
export async function inSpan<T>(
  { name, kind = 'internal', attributes = {} }: { name: string; kind?: Span['kind']; attributes?: Span['attributes'] },
  work: () => Promise<T>,
): Promise<T> {
  const parent = placeNow()
  if (!take || !parent) return work()
  const { traceId, round } = parent
  const place = { traceId, spanId: newSpanId() }
  const from = now()
  const end = (failed: boolean) => {
    const span = {
      ...place,
      parentId: parent.spanId,
      name,
      kind,
      from,
      to: now(),
      attributes,
      ...(failed && { failed }),
    }
    if (!round) record(span)
    else if (round.spans.length < MOST_HELD) round.spans.push(span)
  }
  try {
    const done = await at(round ? { ...place, round } : place, work)
    end(false)
    return done
  } catch (error) {
    end(true)
    throw error
  }
}
