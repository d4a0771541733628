import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { programVersion } from '../app/serverFolder.ts'
import type { Settings } from '../app/settings.ts'
import { operatorsReach } from '../outgoing/reach.ts'
import { send } from '../outgoing/send.ts'
import { type Span, traceTo } from './trace.ts'

const [EVERY_MS, AT_ONCE, MOST] = [2000, 500, 5000]
const PATIENCE_MS = 10_000
const kinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const

/** Sends spans to a collector, as JSON of OTLP over HTTP. While the collector is away or slow, spans are dropped. */
export function openTraces(settings: Settings, log: Logger): { stop(): Promise<void> } | undefined {
  const { traces } = settings
  if (!traces) return undefined
  const url = new URL(`${traces.endpoint.replace(/\/$/, '')}/v1/traces`)
  const reach = operatorsReach({ settings, log })
  const resource = {
    attributes: attributesOf({
      'service.name': traces.service,
      'service.version': programVersion,
      'service.instance.id': `${hostname()}:${process.pid}`,
    }),
  }
  let waiting: Span[] = []
  let dropped = 0
  let sending: Promise<void> | undefined
  const post = async (spans: readonly Span[]) => {
    const scopeSpans = [{ scope: { name: 'innkeeper', version: programVersion }, spans: spans.map(written) }]
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] })
    const headers = {
      ...traces.headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }
    const asked = {
      url,
      method: 'POST',
      headers,
      body,
      patienceMs: PATIENCE_MS,
      mostBytes: 2000,
      longer: 'cut',
    } as const
    const { status } = await send(reach, asked)
    if (status < 200 || status >= 300) throw new Error(`the collector answered ${status}`)
  }
  const flush = async () => {
    while (waiting.length) {
      const batch = waiting.splice(0, AT_ONCE)
      await post(batch).catch((error: unknown) => {
        dropped += batch.length + waiting.splice(0).length
        log.warn({ err: error, dropped }, 'spans could not be sent')
        dropped = 0
      })
    }
  }
  const tick = () => {
    sending ??= flush().finally(() => {
      sending = undefined
    })
    return sending
  }
  traceTo((span) => {
    if (waiting.length < MOST) waiting.push(span)
    else dropped += 1
  })
  const timer = setInterval(() => void tick(), EVERY_MS)
  return {
    async stop() {
      traceTo(undefined)
      clearInterval(timer)
      await tick()
      waiting = []
    },
  }
}

const nanoseconds = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n)

const written = ({ traceId, spanId, parentId, name, kind, from, to, attributes, failed }: Span) => ({
  ...{ traceId, spanId, ...(parentId && { parentSpanId: parentId }), name, kind: kinds[kind] },
  ...{ startTimeUnixNano: nanoseconds(from), endTimeUnixNano: nanoseconds(Math.max(from, to)) },
  attributes: attributesOf(attributes),
  status: failed ? { code: 2 } : {},
})

const attributesOf = (all: Span['attributes']) =>
  Object.entries(all).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : Number.isInteger(value)
            ? { intValue: String(value) }
            : { doubleValue: value },
  }))
