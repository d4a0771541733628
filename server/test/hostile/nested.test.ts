import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as z from 'zod'
import { sliced } from '../../../bin/slice.ts'
import { type Call, writing } from './calls.ts'
import { goodRequests } from './good.ts'
import { typesOf } from './values.ts'
import { openWorld, type World } from './world/world.ts'

/**
 * Fields within fields: a change of `locale` that names none of its fields was a server error. Every object and list of a
 * request that succeeds comes empty, without each of its fields, and with nothing in their place.
 */

let w: World
let token: string
let good: Awaited<ReturnType<typeof goodRequests>>
beforeAll(async () => {
  w = await openWorld()
  token = w.admin
  good = await goodRequests(w.app.db)
})
afterAll(() => w.close())

type Body = Record<string, unknown>
const EMPTY = [{}, [], null, [{}], [null], [[]]]

/** Bodies in which one value, at any depth, is empty, or one field within another is absent. */
function emptied(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [null]
  if (Array.isArray(value)) {
    const [first, ...rest] = value as unknown[]
    return first === undefined ? EMPTY : [...EMPTY, ...emptied(first).map((one) => [one, ...rest])]
  }
  const fields = Object.entries(value)
  return [
    ...EMPTY,
    ...fields.flatMap(([key, inner]) => [
      Object.fromEntries(fields.filter(([other]) => other !== key)),
      ...emptied(inner).map((one) => ({ ...value, [key]: one })),
    ]),
  ]
}

function bodiesOf({ endpoint }: Call, body: Body): Body[] {
  const holding = Object.entries(endpoint.schemas.body?.shape ?? {}).filter(([key, field]) => {
    const types = typesOf(field as z.ZodType) // safe cast: the values of a shape are schemas
    return types.has('object') || types.has('array') || (typeof body[key] === 'object' && body[key] !== null)
  })
  const all = holding.flatMap(([key]) => emptied(body[key] ?? {}).map((value) => ({ ...body, [key]: value })))
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

async function ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload: string) {
  const send = () =>
    w.http.inject({
      method,
      url,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      payload,
    })
  const answer = await send()
  if (answer.statusCode !== 401) return answer
  token = (await w.somebody('admin')).token // an earlier call ended the session, as intended
  return send()
}

it.each(sliced(writing))('$name takes or refuses empty values within its fields', async (call) => {
  const request = await good(call)
  if (!request?.headers['content-type']?.includes('json')) return
  const failed: string[] = []
  for (const body of bodiesOf(call, JSON.parse(String(request.payload ?? '{}')) as Body)) {
    const payload = JSON.stringify(body)
    const { statusCode, body: said } = await ask(request.method, request.url, payload)
    const isAway = call.endpoint.spec.live && statusCode === 503
    if (statusCode >= 500 && !isAway) failed.push(`${payload.slice(0, 600)}: ${statusCode} ${said.slice(0, 300)}`)
  }
  expect(failed).toEqual([])
})
