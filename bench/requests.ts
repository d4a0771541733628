import { contract } from '@innkeeper/contract/index'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import * as z from 'zod'
import type { Dice } from '../server/seed/dice.ts'
import type { Ask } from './load.ts'
import type { Stage } from './stage.ts'

export interface ListCall {
  /** For example `websites.list`. */
  name: string
  path: string
  /** Name of the page parameter: `page`, `offset`… */
  pageBy: string
  sizeBy: string | undefined
  sorts: string[]
  /** Further query parameters. */
  filters: Record<string, z.ZodType>
  /** Required query parameters, such as `zoneId`. */
  owed: string[]
}

const pageNames = ['page', 'offset']
const sizeNames = ['itemsPerPage', 'take', 'page_size', 'limit']
/** `cache=false` reads from servers instead of the database. */
const notFilters = new Set([...pageNames, ...sizeNames, 'after', 'sort', 'direction', 'cache'])

/** Every call of the contract with pages, including calls of future domains. */
export const listCalls: ListCall[] = Object.entries(contract).flatMap(([domain, entries]) =>
  Object.entries(entries as Record<string, Endpoint>).flatMap(([name, { method, path, schemas }]) => {
    const query: Record<string, z.ZodType> = schemas.query?.shape ?? {}
    const pageBy = pageNames.find((key) => key in query)
    if (method !== 'GET' || !pageBy) return []
    const filters = Object.entries(query).filter(([key]) => !notFilters.has(key))
    return {
      name: `${domain}.${name}`,
      path,
      pageBy,
      sizeBy: sizeNames.find((key) => key in query),
      sorts: query.sort ? wordsOf(query.sort) : [],
      filters: Object.fromEntries(filters),
      owed: filters.flatMap(([key, schema]) => (schema.safeParse(undefined).success ? [] : key)),
    }
  }),
)

type Json = { [key: string]: unknown }

/** The values of an enumeration, at any depth of the schema. */
function wordsOf(schema: z.ZodType): string[] {
  const words = (json: Json): string[] => [
    ...(Array.isArray(json.enum) ? json.enum.map(String) : []),
    ...[json.anyOf, json.oneOf].flatMap((list) => (Array.isArray(list) ? list.flatMap(words) : [])),
    ...(json.items ? words(json.items as Json) : []),
  ]
  return words(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Json)
}

/** Values of each filter that match rows of this database: text for searches, otherwise choices. */
export interface Known {
  picks: Record<string, string[]>
  searches: Record<string, string[]>
  total: number
}

export const itemsOf = (body: Record<string, unknown>): Record<string, unknown>[] =>
  // a list answer has one array, its rows
  (Object.values(body).find(Array.isArray) as Record<string, unknown>[] | undefined) ?? []

/** Parameters that are names instead of ids: the first name of bench/fill/names.ts. */
const named = new Map([['/ipset/sets/:id/ips', 'set-1']])

/** Lists below an object, such as `/users/department/:id` or `/dns/records?zoneId=`, use the first object. */
export const addressOf = ({ path, owed }: ListCall, query: Record<string, unknown>): string => {
  const all = { ...Object.fromEntries(owed.map((key) => [key, 1])), ...query }
  const text = new URLSearchParams(Object.entries(all).map(([key, value]) => [key, String(value)]))
  return `/api${path.replace(/:\w+/g, named.get(path) ?? '1')}?${text}`
}

/** Reads values from the app that match rows. Throws the answer of the app if the plain list fails. */
export async function explore(stage: Stage, call: ListCall): Promise<Known> {
  const ask = (query: Record<string, unknown>) => stage.hear({ path: addressOf(call, query) })
  const plain = await ask({ [call.pageBy]: call.pageBy === 'page' ? 1 : 0 })
  if (plain.status !== 200) throw new Error(`${plain.status}: ${JSON.stringify(plain.body).slice(0, 200)}`)
  const items = itemsOf(plain.body)
  const known: Known = { picks: {}, searches: {}, total: Number(plain.body.total ?? items.length) }
  for (const [key, schema] of Object.entries(call.filters)) {
    for (const value of candidates(key, schema, items, stage.dice)) {
      const { status, body } = await ask({ [call.pageBy]: call.pageBy === 'page' ? 1 : 0, [key]: value })
      if (status !== 200 || itemsOf(body).length === 0) continue
      const list = /^[a-z0-9]{3,}/i.test(value) && isFree(schema) ? known.searches : known.picks
      list[key] ??= []
      if (list[key].push(value) === 8) break
    }
  }
  return known
}

/** Free text: neither an enumeration nor a number. */
const isFree = (schema: z.ZodType) =>
  wordsOf(schema).length === 0 && !schema.safeParse('1').error && !schema.safeParse('x-1').error

function candidates(key: string, schema: z.ZodType, items: Record<string, unknown>[], dice: Dice): string[] {
  const words = wordsOf(schema)
  if (words.length) return words
  if (!isFree(schema))
    return [
      ...Array.from({ length: 12 }, () => String(1 + dice.below(40))),
      'true',
      '8.2',
      '8.3',
      '2026-01-01T00:00:00Z',
      '2026-01-01',
    ]
  const own = items.flatMap((item) => (typeof item[key] === 'string' ? [item[key]] : []))
  const texts = own.length
    ? own
    : items.flatMap((item) => Object.values(item).filter((value) => typeof value === 'string'))
  const pieces = texts.filter((text) => !/^\d{4}-\d\d-\d\dT/.test(text)).map((text) => piece(text, dice))
  return own.length ? [...new Set([...pieces, ...own])] : [...new Set(pieces)]
}

/** Four to six letters of a text, as a typical search. */
function piece(text: string, dice: Dice): string {
  const length = 4 + dice.below(3)
  return text.slice(dice.below(Math.max(1, text.length - length)), text.length).slice(0, length)
}

/** A typical request: a page, often a sort order, up to two filters. */
export function randomList(call: ListCall, { picks, total }: Known, dice: Dice, size = 50): Ask {
  const keys = Object.keys(picks).filter((key) => key !== 'ids')
  const query: Record<string, unknown> = {}
  for (let n = dice.below(3); n > 0 && keys.length; n--) {
    const key = dice.pick(keys)
    query[key] = dice.pick(picks[key]!)
  }
  if (call.sorts.length) query.sort = dice.pick(call.sorts)
  if (call.sorts.length && dice.chance(0.5)) query.direction = dice.pick(['ASC', 'DESC'])
  if (call.sizeBy) query[call.sizeBy] = size
  const pages = Math.max(1, Math.min(200, Math.floor(total / size)))
  // most people look at the first pages
  const page = dice.chance(0.6) ? dice.below(3) : dice.below(pages)
  query[call.pageBy] = call.pageBy === 'page' ? 1 + Math.min(page, pages - 1) : Math.min(page, pages - 1) * size
  return { path: addressOf(call, query) }
}
