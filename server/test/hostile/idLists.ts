import * as z from 'zod'
import type { Call } from './calls.ts'
import type { Sent } from './requests.ts'

/** A day that nobody has planned. */
const soon = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)

/** Lists of ids in the requests of calls: found in the contract, and changed in a request that succeeds. */
export type Json = { [key: string]: unknown }

/** Values that the request which succeeds lacks. */
export const more: Record<string, Json> = {
  'backups.restore tables.[].database': { tables: [{ database: 1, tables: ['posts'] }] },
  'backups.restore mail.[].mailboxId': { mail: [{ mailboxId: 1, users: [1] }] },
  'backups.restore mail.[].users': { mail: [{ mailboxId: 1, users: [1] }] },
  'backups.restore into.[].database': { databases: [1], into: [{ database: 1, target: 1 }] },
  'backups.restore into.[].target': { databases: [1], into: [{ database: 1, target: 1 }] },
  'databases.updateUser databases.[].id': { locked: undefined, databases: [{ id: 1, privileges: 'all' }] },
  'databases.replace databases.[].id': { databases: [{ id: 1 }] },
  'shifts.plan cells.[].userId': { remove: undefined, cells: [{ userId: 1, shiftTypeId: 1, date: soon }] },
  'shifts.plan cells.[].shiftTypeId': { remove: undefined, cells: [{ userId: 1, shiftTypeId: 1, date: soon }] },
  'leaves.updateEmployee adjustments.[].typeId': {
    entitlements: undefined,
    adjustments: [{ typeId: 6, year: 2027, days: 1, note: 'Bought' }],
  },
  'scrums.createAudit items.[].componentId': { items: [{ componentId: 1, score: 5 }] },
  'scrums.updateAudit items.[].componentId': { items: [{ componentId: 1, score: 5 }] },
  'files.beginUpload access.[].grantAccessTo': { isPrivate: true, access: [{ grantAccessTo: 1, accessType: 'user' }] },
  ...Object.fromEntries(
    ['create', 'update'].flatMap((name) =>
      ['roleId', 'departmentId'].map((key) => [
        `providers.${name} mappings.[].${key}`,
        { mappings: [{ group: 'support', roleId: null, departmentId: null }] },
      ]),
    ),
  ),
  'qcMine.answerReview proposes.scores.[].scoreTypeId': {
    ...{ type: 'dispute', proposes: { scores: [{ scoreTypeId: 1, gradeId: null }] } },
  },
  'qcMine.answerReview proposes.scores.[].gradeId': {
    ...{ type: 'dispute', proposes: { scores: [{ scoreTypeId: 1, gradeId: 1 }] } },
  },
  ...Object.fromEntries(
    ['create', 'update'].flatMap((name) =>
      ['objects', 'departments'].map((key) => [`webhooks.${name} ${key}`, { domains: ['departments'] }]),
    ),
  ),
  'calendarEvents.removeNational leaves': { leaves: [] },
  'calendarEvents.removeWorkplace leaves': { leaves: [] },
  'shifts.removeAutomation leaves': { leaves: [] },
  'qc.updateType gradeIds': { gradeIds: [1] },
  'qcSettings.updateType gradeIds': { gradeIds: [1] },
}

export const isId = (json: Json): boolean =>
  (json.type === 'integer' && json.maximum === 2_147_483_647) ||
  [json.anyOf, json.oneOf].some((among) => (among as Json[] | undefined)?.some(isId)) ||
  (Array.isArray(json.type) && json.type.includes('number')) // a query: text that becomes numbers
/** Whole numbers of a row in a list that count something. */
export const counts = /^(version|year|priority|ttl)$/

/** Paths of lists of ids, and of ids in lists of objects: `ids`, `cells.[].userId`. */
function listsIn(node: Json, path: string[] = []): string[] {
  const fields = Object.entries((node.properties ?? {}) as Record<string, Json>)
  const among = [node.anyOf, node.oneOf, node.allOf].flatMap((some) => (some ?? []) as Json[])
  const found = [
    ...fields.flatMap(([key, field]) => listsIn(field, [...path, key])),
    ...among.flatMap((one) => listsIn(one, path)),
  ]
  if (node.type !== 'array') return found
  const item = (node.items ?? {}) as Json
  if (isId(item)) return [...found, path.join('.')]
  const ofItem = Object.entries((item.properties ?? {}) as Record<string, Json>)
  const ids = ofItem.filter(([key, field]) => isId(field) && !counts.test(key))
  return [
    ...found,
    ...ids.map(([key]) => [...path, '[]', key].join('.')),
    ...ofItem.flatMap(([key, field]) => listsIn(field, [...path, '[]', key])),
  ]
}
export const listsOf = ({ endpoint: { schemas } }: Call): string[] =>
  [schemas.query, schemas.body].flatMap((schema?: z.ZodObject) =>
    schema ? listsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json) : [],
  )

/** The value with another id at the end of the list, or in its first object. */
function withId(value: unknown, [key = '', ...rest]: string[], id: number): unknown {
  if (key === '[]') {
    const [first, ...following] = (value ?? [{ name: 'Somebody' }]) as Json[]
    return [withId(first, rest, id), ...following]
  }
  const held = (value ?? {}) as Json
  if (rest.length) return { ...held, [key]: withId(held[key], rest, id) }
  const isOne = typeof held[key] === 'number' || key.endsWith('Id') || key === 'id' || key === 'database'
  return { ...held, [key]: isOne ? id : [...((held[key] ?? []) as number[]), id] }
}

/** The request with another id in a list. */
export function withAnother(request: Sent, name: string, path: string, id: number): Sent {
  if (request.headers['content-type']?.includes('json')) {
    const body = { ...(JSON.parse(String(request.payload ?? '{}')) as Json), ...more[name] }
    const isBody = request.method !== 'DELETE' || path in body
    if (isBody) return { ...request, payload: JSON.stringify(withId(body, path.split('.'), id)) }
  }
  const url = new URL(request.url, 'http://x')
  url.searchParams.set(path, [url.searchParams.get(path), id].filter(Boolean).join())
  return { ...request, url: url.pathname + url.search }
}

/** The value with exactly these ids in a list; of a list of objects, the first one for each id. */
function withIds(value: unknown, [key = '', ...rest]: string[], ids: readonly number[]): unknown {
  if (key === '[]') {
    const [first] = (value ?? [{ name: 'Somebody' }]) as Json[]
    return ids.map((id) => withIds(first, rest, [id]))
  }
  const held = (value ?? {}) as Json
  if (rest.length) return { ...held, [key]: withIds(held[key], rest, ids) }
  const isOne = typeof held[key] === 'number' || key.endsWith('Id') || key === 'id' || key === 'database'
  return { ...held, [key]: isOne ? ids[0] : ids }
}

/** The request with exactly these ids in a list. */
export function withOnly(request: Sent, name: string, path: string, ids: readonly number[]): Sent {
  if (request.headers['content-type']?.includes('json')) {
    const body = { ...(JSON.parse(String(request.payload ?? '{}')) as Json), ...more[name] }
    const isBody = request.method !== 'DELETE' || path in body
    if (isBody) return { ...request, payload: JSON.stringify(withIds(body, path.split('.'), ids)) }
  }
  const url = new URL(request.url, 'http://x')
  url.searchParams.set(path, ids.join())
  return { ...request, url: url.pathname + url.search }
}

/** The ids that the request has in a list. */
export function idsIn(request: Sent, name: string, path: string): number[] {
  const isJson = request.headers['content-type']?.includes('json')
  const body = isJson ? { ...(JSON.parse(String(request.payload ?? '{}')) as Json), ...more[name] } : {}
  let at: unknown[] = [body]
  for (const key of path.split('.'))
    at = key === '[]' ? at.flat() : at.flatMap((one) => (one && typeof one === 'object' ? [(one as Json)[key]] : []))
  const found = at.flat().filter((one): one is number => typeof one === 'number')
  const asked = new URL(request.url, 'http://x').searchParams.get(path) ?? ''
  return found.length ? found : asked.split(',').filter(Boolean).map(Number)
}
