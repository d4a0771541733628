import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes } from 'node:crypto'

/** Where something happens: the trace and the span that the next spans are children of. */
export interface Place {
  traceId: string
  spanId: string
}

type Value = string | number | boolean
/** A span that has ended. Attributes name kinds and numbers, never texts of people, parameters or secrets. */
export interface Span extends Place {
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

/** Measures `work` as a child of the present span. Without one, as in scheduled work, nothing is measured. */
export async function inSpan<T>(
  { name, kind = 'internal', attributes = {} }: { name: string; kind?: Span['kind']; attributes?: Span['attributes'] },
  work: () => Promise<T>,
): Promise<T> {
  const parent = placeNow()
  if (!take || !parent) return work()
  const place = { traceId: parent.traceId, spanId: newSpanId() }
  const from = now()
  const end = (failed: boolean) =>
    record({ ...place, parentId: parent.spanId, name, kind, from, to: now(), attributes, ...(failed && { failed }) })
  try {
    const done = await at(place, work)
    end(false)
    return done
  } catch (error) {
    end(true)
    throw error
  }
}
