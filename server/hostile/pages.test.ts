import type { Endpoint } from '@innkeeper/contract/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { addressOf, calls } from './calls.ts'
import { goodValues } from './values.ts'
import { OPENING, openWorld, type World } from './world.ts'

/** Every list that pages by key, in each of its orders: a key like those that it gives is taken, and none is a fault of ours. */
let w: World
let admin: string
beforeAll(async () => {
  w = await openWorld()
  admin = (await w.somebody('admin')).token
}, OPENING)
afterAll(() => w.close())

const lists = calls.filter(
  ({ endpoint: { method, schemas } }) =>
    method === 'GET' && ['page', 'after'].every((key) => key in (schemas.query?.shape ?? {})),
)
/** Of a column of words, of numbers, of days or instants. */
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

/** What it cannot be asked without: rows of this world. */
const owed = (schema: z.ZodObject | undefined) =>
  Object.entries(schema?.shape ?? {}).flatMap(([key, raw]) => {
    const field = raw as z.ZodType // a shape's values are schemas
    return field.safeParse(undefined).success ? [] : [[key, String(goodValues(field, w.known.words)[0])] as const]
  })

describe.each(lists.map(({ name, endpoint }) => ({ name, endpoint })))('$name', ({ endpoint }) => {
  it.each(ordersOf(endpoint).map((sort) => ({ sort })))('by $sort takes a key', async ({ sort }) => {
    const { params, query } = endpoint.schemas
    const path = addressOf(endpoint.path, Object.fromEntries(owed(params)))
    const answers: number[] = []
    for (const direction of ['ASC', 'DESC'])
      for (const text of sorts) {
        const asked = new URLSearchParams({
          ...Object.fromEntries(owed(query)),
          page: '2',
          ...(sort && { sort, direction }),
          after: Buffer.from(JSON.stringify([text, 1])).toString('base64url'),
        })
        answers.push((await w.call('GET', `${path}?${asked}`, { token: admin })).status)
      }
    expect(answers.filter((status) => status >= 500)).toEqual([])
    expect(answers.some((status) => status === 200 || status === 404 || status === 503)).toBe(true)
  })
})
