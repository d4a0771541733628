import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Op } from '@innkeeper/contract/agent/door'
import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { perform } from '../../../agent/attempt.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { begin, enrolled, resource } from '../../test/work.ts'
import { readSettings } from '../app/settings.ts'
import { rows } from '../db/db.ts'
import { action, step } from '../work/action.ts'
import { claim, finish } from '../work/claim.ts'
import { openQueue } from '../work/queue.ts'
import { startRunner } from '../work/runner.ts'
import { openTraces } from './send.ts'
import { inRound, inSpan, isTracing, readParent, type Span, traceTo } from './trace.ts'

interface Got {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

const secretive = action('test.secretive', z.object({ word: z.string() }), {
  title: 'Secretive',
  what: () => 'reads',
  async run({ word }, { app }) {
    await rows(app.db, sql`select ${word}::text as word from pg_roles limit 1`)
  },
})

let t: TestApp
let url: string
const got: Got[] = []
const bodies: string[] = []
const headers: unknown[] = []
const collector = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    bodies.push(body)
    headers.push(request.headers['x-tenant'])
    const sent = JSON.parse(body)
    for (const { scopeSpans } of sent.resourceSpans) for (const { spans } of scopeSpans) got.push(...spans)
    response.writeHead(200).end('{}')
  })
})
let traces: ReturnType<typeof openTraces>
let serverId: number

beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const settings = readSettings(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=inn%20keeper',
      INNKEEPER_KEY: 'k'.repeat(20),
    },
    [],
  )
  // another app of this process has built its statements without measuring them
  const before = await openTestApp()
  await begin(before.app.db)
  await before.close()
  traces = openTraces(settings, pino({ level: 'silent' }))
  t = await openTestApp(undefined, (http, app) => {
    http.post('/api/test/begin', async () => ({
      id: await begin(app.db, {
        plan: [
          step(secretive, { word: 'the words of a customer' }, { resource }),
          step(secretive, { word: 'again' }, { resource, server: serverId }),
        ],
      }),
    }))
  })
  serverId = await enrolled(t.app.db, 'web-traced')
})
afterAll(async () => {
  traceTo(undefined)
  await traces?.stop()
  await t.close()
  collector.close()
})

describe('a trace', () => {
  it('goes from the click through handler, statements, action, agent and driver, each a child of the one before', async () => {
    const requestId = '7a62b8f5-401e-4584-9c4e-a8534e95c530'
    await t.http.inject({ method: 'POST', url: '/api/test/begin', headers: { 'x-request-id': requestId } })
    const queue = await openQueue(t.app)
    const runner = startRunner(t.app, queue)
    let op: Op | undefined
    await expect
      .poll(async () => {
        ;[op] = await claim(t.app.db, serverId, 'short', 1)
        return op
      })
      .toBeDefined()
    const lease = { until: Number.POSITIVE_INFINITY, stop: new AbortController().signal }
    // an agent that refuses the input calls no driver: the test adds the span of the driver
    const answer = await perform({ ...op!, name: 'website.create' }, lease, {} as never, () => {})
    const spans = [...(answer.spans ?? []), { name: `driver ${op!.name}`, from: Date.now() - 5, to: Date.now() }]
    await finish(t.app.db, serverId, [{ id: op!.id, attempt: op!.attempt, status: 'done', spans }])
    queue.close()
    await runner.stop()
    await traces?.stop()

    const traceId = requestId.replaceAll('-', '')
    expect(new Set(got.map((span) => span.traceId))).toEqual(new Set([traceId]))
    const byId = new Map(got.map((span) => [span.spanId, span]))
    const path = (span: Got | undefined): string[] =>
      span ? [...path(byId.get(span.parentSpanId ?? '')), span.name] : []
    const paths = got.map((span) => path(span).join(' > '))
    const root = 'POST /api/test/begin'
    for (const wanted of [
      root,
      `${root} > insert workflows`,
      `${root} > action test.secretive`,
      `${root} > action test.secretive > select pg_roles`,
      `${root} > action test.secretive > agent`,
      `${root} > action test.secretive > agent > driver test.secretive`,
    ])
      expect(paths).toContain(wanted)
    for (const span of got) {
      if (span.name !== root) expect(byId.has(span.parentSpanId ?? ''), span.name).toBe(true)
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
    }
    expect(headers).toContain('inn keeper')
    expect(bodies.join('')).not.toContain('customer')
    expect(bodies.join('')).not.toContain('shop.example')
  })

  it('ends where its collector is gone, and holds nothing up', async () => {
    await traces?.stop()
    collector.closeAllConnections()
    const gone = openTraces(
      readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', INNKEEPER_KEY: 'k'.repeat(20) }, []),
      pino({ level: 'silent' }),
    )
    expect(isTracing()).toBe(true)
    expect((await t.http.inject('/api/websites')).statusCode).toBe(401)
    await gone?.stop()
    expect(isTracing()).toBe(false)
    expect((await t.http.inject('/api/websites')).statusCode).toBe(401)
  })

  it('of a round of scheduled work is sent if the round fails, is slow, or starts a workflow', async () => {
    const sent: Span[] = []
    traceTo((span) => void sent.push(span))
    const looks = () => inSpan({ name: 'select due' }, async () => {})
    const taken = () => sent.splice(0).map(({ name, failed }) => (failed ? `${name} failed` : name))
    await inRound('idle', looks)
    expect(taken()).toEqual([])
    const fails = inRound('broken', async () => {
      await looks()
      throw new Error('made to fail')
    })
    await expect(fails).rejects.toThrow('made to fail')
    expect(taken()).toEqual(['select due', 'round broken failed'])
    await inRound('nightly', () => begin(t.app.db))
    const [root] = sent.slice(-1)
    expect(root).toMatchObject({ name: 'round nightly', failed: false })
    expect(new Set(sent.map(({ traceId }) => traceId))).toEqual(new Set([root?.traceId]))
    expect(taken()).toContain('insert workflows')
    traceTo(undefined)
    await inRound('unmeasured', looks)
    expect(taken()).toEqual([])
  })
})

it.each([
  ['00-7a62b8f5401e45849c4ea8534e95c530-00f067aa0ba902b7-01', true],
  ['00-00000000000000000000000000000000-00f067aa0ba902b7-01', false],
  ['00-7a62b8f5401e45849c4ea8534e95c530-0000000000000000-01', false],
  ['ff-7a62b8f5401e45849c4ea8534e95c530-00f067aa0ba902b7-01', false],
  ['x', false],
])('%s is a parent: %s', (text, isOne) => {
  expect(readParent(text) !== undefined).toBe(isOne)
})
