import fc from 'fast-check'
import * as z from 'zod'
import { type ApiCall, apiMarkers, shown } from './apiRequests.ts'
import { type ApiKind, type ApiRule, ruleOf } from './apiRules.ts'
import { sliceSeed, type Wanted } from './cases.ts'
import type { Kind } from './rule.ts'
import { anyText, hostile } from './values.ts'

type Part = 'params' | 'query' | 'body'
/** A field of a call. */
export interface Place {
  of: ApiCall
  part: Part
  field: string
  list: boolean
  rule: ApiRule | undefined
}
export interface ApiCase {
  place: Place
  value: unknown
  /** Expected interpretation of the value; undefined: it must be refused. Without a rule, both are allowed. */
  reads: string | undefined
}
const slice = 100
/** Number of values that a server carries out and undoes, some seconds each. */
const roomFor = (cases: number) => Math.min(60, Math.max(4, Math.round(cases * 0.02)))

export function placesOf(calls: readonly ApiCall[]): Place[] {
  return calls.flatMap((of) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = of.call.endpoint.schemas[part]
      return Object.entries(schema?.shape ?? {}).map(([field, raw]): Place => {
        const rule = part === 'body' ? ruleOf(of.call.name, field) : undefined
        return { of, part, field, list: part === 'body' && isList(raw as z.ZodType), rule } // the values of a shape are schemas
      })
    }),
  )
}

const isList = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).type === 'array'

const texts: Kind[] = ['domain', 'account', 'path', 'version']
function valuesFor(kind: ApiKind | undefined): fc.Arbitrary<unknown> {
  if (kind === 'id') return fc.oneof(hostile('whole'), fc.integer({ min: 1001, max: 2 ** 33 }))
  if (kind === 'line' || kind === undefined) return fc.oneof(anyText, fc.constantFrom(...texts).chain(hostile))
  return hostile(kind)
}

/** Generates the requested number of cases: first those without work on a server, then the others. */
export function* apiCasesOf(places: readonly Place[], { seed, cases }: Wanted) {
  const strange: ApiCase[] = []
  const room = roomFor(cases)
  const often = places.flatMap((place) => Array<Place>(weightOf(place)).fill(place))
  const any = fc.constantFrom(...often).chain((place) => valuesFor(place.rule?.kind).map((value) => ({ place, value })))
  for (let [n, left] = [0, cases]; left > 0; n++) {
    const some: ApiCase[] = []
    for (const { place, value } of fc.sample(any, { seed: sliceSeed(seed, n), numRuns: slice })) {
      if (left === 0) break
      const sent: unknown = value === undefined ? null : JSON.parse(JSON.stringify(value)) // as the server parses it
      const reads = place.rule?.read(sent)
      const one = { place, value: sent, reads }
      if (!takes(one) || (acts(one) && strange.length === room)) continue
      if (acts(one)) strange.push(one)
      else some.push(one)
      left--
    }
    yield { some, strange: left === 0 ? strange : [] }
  }
}

/** Fields that reach servers are tried more often than ids. */
const weightOf = ({ of, part, field }: Place) =>
  of.acts && Object.hasOwn(apiMarkers, field) ? (field === 'reason' ? 3 : 12) : part === 'body' ? 2 : 1

const acts = ({ place: { of, field }, reads }: ApiCase) =>
  reads !== undefined && of.acts && Object.hasOwn(apiMarkers, field)

/**
 * Exclusions: known words and rows are used by other tests; another PHP takes minutes; `.` and `..` change the path of
 * the request.
 */
function takes({ place: { of, part, rule }, value, reads }: ApiCase): boolean {
  if (part !== 'body') {
    const text = shown(value)
    return (
      !['', '.', '..'].includes(text) && !(Number.isInteger(Number(text)) && Number(text) > 0 && Number(text) <= 1000)
    )
  }
  if (reads === undefined) return true
  const known = rule?.kind === 'id' && Number(reads) <= 1000
  return rule?.kind !== 'word' && !known && of.call.name !== 'servers.addPhp'
}

export const toldApi = ({ place: { of, part, field }, value }: ApiCase) =>
  `${of.call.name} ${part} ${field} = ${JSON.stringify(value).slice(0, 200)}`

export function requestOf({ place: { of, part, field, list }, value }: ApiCase) {
  const request = structuredClone(of.request)
  request[part][field] = list ? [value] : value
  return request
}
