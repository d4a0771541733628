import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { addressOf, calls } from './calls.ts'
import { goodValues } from './values.ts'
import { openWorld, type World } from './world/world.ts'

/** Every list with page keys, in each sort order, accepts well-formed keys and never fails. */
let w: World
let admin: string
beforeAll(async () => {
  w = await openWorld()
  admin = (await w.somebody('admin')).token
})
afterAll(() => w.close())

const lists = calls.filter(
  ({ endpoint: { method, schemas } }) =>
    method === 'GET' && ['page', 'after'].every((key) => key in (schemas.query?.shape ?? {})),
)
/** Sort values of text, numbers, and days or instants. */
const sorts = ['a', '7', '2026-01-01']

const ordersOf = ({ schemas }: Endpoint): (string | undefined)[] => {
  const sort = schemas.query?.shape.sort
  if (!sort) return [undefined]
  const { enum: words, anyOf } = z.toJSONSchema(sort, { io: 'input', unrepresentable: 'any' }) as {
    enum?: string[]
    anyOf?: { enum?: string[] }[]
  }
  return words ?? anyOf?.flatMap((one) => one.enum ?? []) ?? [undefined]
}

/** The required parameters of a call, filled with values of the test world. */
const owed = (schema: z.ZodObject | undefined, n: number) =>
  Object.fromEntries(
    Object.entries(schema?.shape ?? {}).flatMap(([key, raw]) => {
      const field = raw as z.ZodType // a shape's values are schemas
      if (field.safeParse(undefined).success) return []
      const values = goodValues(field, w.known.words)
      return [[key, String(values[n % values.length])]]
    }),
  )

type Ask = (more: Record<string, string>) => ReturnType<World['call']>
const known = new Map<Endpoint, Promise<Ask>>()
/** Like `find`, cached by list. */
const finding = (endpoint: Endpoint) => known.get(endpoint) ?? known.set(endpoint, find(endpoint)).get(endpoint)!

/** Finds parameters with which the list answers 200, trying the rows of this world in order. */
async function find({ path, schemas: { params, query } }: Endpoint): Promise<Ask> {
  for (let n = 0; n < 1000; n++) {
    const ask: Ask = (more) =>
      w.call('GET', `${addressOf(path, owed(params, n))}?${new URLSearchParams({ ...owed(query, n), ...more })}`, {
        token: admin,
      })
    if ((await ask({ page: '1' })).status === 200) return ask
  }
  throw new Error(`${path}: world.ts has no row that has such a list`)
}

describe.each(lists.map(({ name, endpoint }) => ({ name, endpoint })))('$name', ({ endpoint }) => {
  it.each(ordersOf(endpoint).map((sort) => ({ sort })))('sorted by $sort accepts a page key', async ({ sort }) => {
    const ask = await finding(endpoint)
    const answers: number[] = []
    for (const direction of ['ASC', 'DESC'])
      for (const text of sorts) {
        const after = Buffer.from(JSON.stringify([text, 1])).toString('base64url')
        answers.push((await ask({ page: '2', ...(sort && { sort, direction }), after })).status)
      }
    expect(answers.filter((status) => status !== 200 && status !== 400)).toEqual([])
    expect(answers).toContain(200)
  })
})
