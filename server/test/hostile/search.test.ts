import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { addressOf, calls } from './calls.ts'
import { goodValues } from './values.ts'
import { openWorld, type World } from './world/world.ts'

/** Every list that searches finds its rows whatever capitals people type. */
let w: World
let admin: string
beforeAll(async () => {
  w = await openWorld()
  admin = (await w.somebody('admin')).token
})
afterAll(() => w.close())

/** The words of a search: `search`, or the name that the specification gave it. */
const keys = ['search', 'term', 'text', 'q'] as const
const lists = calls.flatMap(({ name, endpoint }) => {
  const key = keys.find((one) => one in (endpoint.schemas.query?.shape ?? {}) || endpoint.path.endsWith(`/:${one}`))
  return endpoint.method === 'GET' && key ? [{ name, endpoint, key }] : []
})
/** Words of a list that are tried. */
const MOST = 30
/** Lists in which a text with capitals was found by small letters. The texts of the others have none, such as names of domains. */
let judged = 0

/** The required parameters of a call, filled with values of the test world. */
const owed = (schema: z.ZodObject | undefined, n: number, without: string) =>
  Object.fromEntries(
    Object.entries(schema?.shape ?? {}).flatMap(([field, raw]) => {
      const type = raw as z.ZodType // a shape's values are schemas
      if (field === without || type.safeParse(undefined).success) return []
      const values = goodValues(type, w.known.words)
      return [[field, String(values[n % values.length])]]
    }),
  )

const textsIn = (rows: readonly object[]): string[] =>
  rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === 'string')

/** Words of letters in the texts of rows, the longest first. */
function wordsIn(rows: readonly object[]): string[] {
  const words = textsIn(rows).flatMap((text) => text.match(/[A-Za-z]{3,}/g) ?? [])
  return [...new Set(words)].toSorted((a, b) => b.length - a.length)
}

const totalOf = (body: { total?: number; items?: unknown[] }) => body.total ?? body.items?.length ?? 0

async function compare({ path, schemas: { params, query } }: Endpoint, key: string): Promise<string | undefined> {
  const ask = async (n: number, text?: string) => {
    const inPath = path.endsWith(`/:${key}`)
    const at = addressOf(path, { ...owed(params, n, key), ...(inPath && { [key]: encodeURIComponent(text ?? 'a') }) })
    const more = text !== undefined && !inPath ? { [key]: text } : {}
    return w.call('GET', `${at}?${new URLSearchParams({ ...owed(query, n, key), ...more })}`, { token: admin })
  }
  for (let n = 0; n < 20; n++) {
    const { status, body } = await ask(n)
    if (status !== 200 || !body.items?.length) continue
    const words = wordsIn(body.items)
    for (const word of words.slice(0, MOST)) {
      const lower = totalOf((await ask(n, word.toLowerCase())).body)
      if (lower === 0) continue
      const upper = totalOf((await ask(n, word.toUpperCase())).body)
      if (lower !== upper) return `${word}: ${lower}, and ${upper} in capitals`
      // a text with capitals was found by small letters
      if (word !== word.toLowerCase()) {
        judged++
        return undefined
      }
    }
    return undefined
  }
  return undefined
}

describe('a search', () => {
  it.each(lists)('of $name finds a text with capitals by small letters and by capitals', async ({ endpoint, key }) => {
    expect(await compare(endpoint, key)).toBeUndefined()
  })
  it('was judged in most lists', () => expect(judged).toBeGreaterThan(lists.length / 2))
})
