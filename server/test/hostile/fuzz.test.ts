import { type Endpoint, ErrorBody, statusOf } from '@innkeeper/contract/kit/endpoint'
import { binary } from '@innkeeper/contract/kit/transfer'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { sliced } from '../../../bin/slice.ts'
import { calls, writing } from './calls.ts'
import { edgesOf } from './edges.ts'
import { goodRequests } from './good.ts'
import { requestsTo, type Sent } from './requests.ts'
import { runs, saySeed, seed } from './seed.ts'
import { openWorld, type World } from './world/world.ts'

/** Patterns of internal details that no answer may contain. */
const leak = new RegExp(
  [
    String.raw`\n\s*at `,
    'node_modules',
    'node:internal',
    'file:///',
    String.raw`\.ts:\d`,
    process.cwd().replace(/[/.]/g, '\\$&'),
    'Failed query',
    'drizzle',
    'pglite',
    'syntax error at',
    'violates \\w+(-\\w+)* constraint',
    'invalid input syntax',
    String.raw`(select|returning) "\w+"`,
    'insert into "?\\w',
    'relation "',
    'TypeError|RangeError|ReferenceError',
  ].join('|'),
)
const Refusal = z.strictObject(ErrorBody.shape).extend({ code: z.string().min(1), requestId: z.uuid() })
const refusals = [400, 403, 404, 409, 413, 414, 415, 422, 429]

let w: World
let token: string
let good: Awaited<ReturnType<typeof goodRequests>>
beforeAll(async () => {
  saySeed('fuzz')
  w = await openWorld()
  token = w.admin
  good = await goodRequests(w.app.db)
})
afterAll(() => w.close())

async function ask({ method, url, headers, payload }: Sent) {
  const send = () =>
    w.http.inject({
      method,
      url,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload }),
    })
  const answer = await send()
  if (answer.statusCode !== 401 || url.startsWith('/api/auth/token')) return answer
  token = (await w.somebody('admin')).token // an earlier call ended the session, as intended
  return send()
}

function judge(endpoint: Endpoint, sent: Sent, answer: Awaited<ReturnType<typeof ask>>): void {
  const { statusCode, body } = answer
  const about = `${statusCode} ${body.slice(0, 600)}`
  const isAway = endpoint.spec.live && statusCode === 503
  if (!isAway) expect(statusCode, about).toBeLessThan(500)
  expect(body, about).not.toMatch(leak)
  if (isAway) expect(answer.json(), about).toMatchObject({ code: 'unavailable' })
  else if (statusCode >= 300) {
    expect(endpoint.access === 'public' ? [401, ...refusals] : refusals, about).toContain(statusCode)
    expect(Refusal.safeParse(answer.json()).error?.message, about).toBeUndefined()
  }
  if (statusCode >= 300) return
  expect(sent.wrong, `a wrong kind of value was taken: ${about}`).toBeUndefined()
  expect([statusOf(endpoint) ?? endpoint.spec.status].flat(), about).toContain(statusCode)
  if (endpoint.spec.returns === binary)
    expect(answer.headers['content-disposition']).toMatch(/^(attachment|inline); filename="/)
  else if (endpoint.spec.returns && statusCode !== 204) {
    const json: unknown = answer.json()
    const read = endpoint.spec.returns.safeParse(json)
    expect(read.error?.message, about).toBeUndefined()
    expect(read.data, 'says more than its contract').toEqual(json)
  } else expect(body).toBe('')
}

describe('with random requests', () => {
  it.each(sliced(calls))('$name answers according to its contract, and never with a server error', async ({
    endpoint,
  }) => {
    const sent = requestsTo(endpoint, w.known)
    const holds = fc.asyncProperty(sent, async (request) => judge(endpoint, request, await ask(request)))
    await fc.assert(holds, { seed, numRuns: runs })
  })

  // random values seldom pass the door together: here one field of a request that succeeds has another valid value
  it.each(sliced(writing))('$name takes every valid value of a field without a server error', async (call) => {
    const request = await good(call)
    if (!request?.headers['content-type']?.includes('json')) return
    const body: Record<string, unknown> = JSON.parse(String(request.payload ?? '{}'))
    const shape = call.endpoint.schemas.body?.shape ?? {}
    const changed = Object.entries(shape).flatMap(([key, field]) =>
      edgesOf(field as z.ZodType, body[key]).map((value) => ({ ...body, [key]: value })),
    )
    const holds = fc.asyncProperty(fc.constantFrom(body, ...changed), async (sent) => {
      const payload = JSON.stringify(sent)
      const answer = await ask({ ...request, payload })
      judge(call.endpoint, { ...request, payload }, answer)
    })
    await fc.assert(holds, { seed, numRuns: Math.min(Math.ceil(runs / 2), changed.length + 1) })
  })

  const odd = fc.oneof(fc.webPath(), fc.string({ unit: 'binary-ascii' }), fc.constantFrom(...oddPaths()))
  it('an unknown path answers a readable 404', async () => {
    const holds = fc.asyncProperty(
      odd,
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'),
      async (path, method) => {
        const url = `/api/${path.replace(/[^\x21-\x7e]/g, '')}`
        const { statusCode, body } = await w.http.inject({ method: method as 'GET', url })
        expect(statusCode, `${url}: ${body}`).toBeLessThan(500)
        expect(body).not.toMatch(leak)
        if (statusCode >= 300 && method !== 'HEAD')
          expect(Refusal.safeParse(JSON.parse(body)).error?.message, `${url}: ${body}`).toBeUndefined()
      },
    )
    await fc.assert(holds, { seed, numRuns: runs * 5 })
  })
})

function oddPaths(): string[] {
  return [
    ...['%', '%zz', '%00', '%c0%ae%c0%ae/', '..%2f..%2fetc%2fpasswd', '../../etc/passwd', 'websites/%', 'websites/%ff'],
    ...[
      'websites//',
      'websites/1/../2',
      'websites/1%2f2',
      'websites;x=1',
      'websites/1?%',
      'websites/1?a=%zz',
      '?',
      '#',
    ],
    ...['websites/__proto__', 'websites/constructor', 'WEBSITES', 'websites/1.json', `websites/${'1'.repeat(5000)}`],
  ]
}
