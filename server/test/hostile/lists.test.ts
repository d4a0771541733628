import { sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { users } from '../../access/users/tables.ts'
import { files } from '../../desk/files/tables.ts'
import { dnsDepartments } from '../../net/dns/tables.ts'
import { type Call, writing } from './calls.ts'
import { type Courses, openCourses } from './courses.ts'
import { type Departments, openDepartments } from './departments.ts'
import { goodRequests } from './good.ts'
import { counts, isId, type Json, listsOf, more, withAnother } from './idLists.ts'
import type { Sent } from './requests.ts'

/**
 * Finds each list of ids in the writing calls, adds an id that nobody has to the request that succeeds, and expects a
 * refusal that names the id. A refusal rolls the transaction back, so nothing of the list is done.
 */
const ABSENT = 2_000_000_000

/** Calls with the scores of one agent. */
const scored = ['qcChats.updateReview', 'qcTickets.updateReview', 'qcCalibrations.submitCalibration']

/** Lists that do more than refuse an absent id, with the reason. An obsolete entry fails the test. */
const others: Record<string, readonly string[]> = {
  'each item has its own result, and the answer names those left out': ['bugs', 'features', 'internalTickets'].map(
    (tracker) => `${tracker}.bulk ids`,
  ),
  'a filter: websites without tasks have none to dismiss': ['databases.dismissAll websiteIds'],
  'a filter of what stopped, as a list of failed actions has it': ['websites.retryStopped server'],
  'a draft is judged when it is submitted': ['qcChats', 'qcTickets'].flatMap((kind) =>
    [
      'scores.[].scoreTypeId',
      'scores.[].gradeId',
      'scores.[].evidence',
      'scores.[].agentId',
      'tags',
      'agents.[].id',
    ].map((field) => `${kind}.saveDraft data.${field}`),
  ),
  'a calibration keeps no tags': ['qcCalibrations.submitCalibration data.tags'],
  'without a score of the agent, the refusal names the score type': [
    ...scored.map((call) => `${call} data.scores.[].agentId`),
  ],
  'names for the screen: `agents` of the call says who is reviewed': [
    ...[...scored, 'qc.reviewChat', 'qc.reviewTicket', 'qcChats.submit', 'qcTickets.submit'],
  ].map((call) => `${call} data.agents.[].id`),
  'the backup here has no mail, and the refusal names the mail domain': ['backups.restore mail.[].users'],
  'older clients send it along, and nobody hears of the deletion of a note': ['qc.removeNote notifyUsers'],
}

/** Paths of ids outside lists: `userId`, `data.roleId`. */
function idsIn(node: Json, path: string[] = []): string[] {
  const fields = Object.entries((node.properties ?? {}) as Record<string, Json>)
  const among = [node.anyOf, node.oneOf, node.allOf].flatMap((some) => (some ?? []) as Json[])
  return [
    ...fields.flatMap(([key, field]) =>
      isId(field) && !counts.test(key) ? [[...path, key].join('.')] : idsIn(field, [...path, key]),
    ),
    ...among.flatMap((one) => idsIn(one, path)),
  ]
}
const idsOf = ({ endpoint: { schemas } }: Call): string[] =>
  [schemas.query, schemas.body].flatMap((schema?: z.ZodObject) =>
    schema ? idsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json) : [],
  )

const placed = (value: Json, [key = '', ...rest]: string[]): Json => ({
  ...value,
  [key]: rest.length ? placed((value[key] ?? {}) as Json, rest) : ABSENT,
})
function withAlone(request: Sent, path: string, isQuery: boolean): Sent {
  if (!isQuery && request.headers['content-type']?.includes('json'))
    return {
      ...request,
      payload: JSON.stringify(placed(JSON.parse(String(request.payload ?? '{}')) as Json, path.split('.'))),
    }
  const url = new URL(request.url, 'http://x')
  url.searchParams.set(path, String(ABSENT))
  return { ...request, url: url.pathname + url.search }
}

describe('an absent id in a list', () => {
  let courses: Courses
  let good: Awaited<ReturnType<typeof goodRequests>>
  beforeAll(async () => {
    courses = await openCourses()
    good = await goodRequests(courses.db)
  })
  afterAll(() => courses.close())

  const cases = writing.flatMap((call) =>
    [...new Set(listsOf(call))].map((path) => ({ call, path, name: `${call.name} ${path}` })),
  )
  const isOther = (name: string) => Object.values(others).flat().includes(name)

  it('has known exceptions', () => {
    const names = cases.map(({ name }) => name)
    expect([...Object.values(others).flat(), ...Object.keys(more)].filter((name) => !names.includes(name))).toEqual([])
  })
  it.each(cases)('is named by the refusal of $name', async ({ call, path, name }) => {
    const request = await good(call)
    if (!request) return // hostile/statements asks for one, or says why the call cannot succeed
    const [{ statusCode, body }, { failed }] = await courses.during('commit', () =>
      courses.send(withAnother(request, name, path, ABSENT)),
    )
    const isRefused = !failed && [400, 404, 409, 422].includes(statusCode) && body.includes(String(ABSENT))
    expect(isRefused, `${statusCode} ${failed ? 'the call succeeds' : body}`).toBe(!isOther(name))
  })
})

/** Ids that may be absent, with the reason. */
const alone: Record<string, readonly string[]> = {
  'a number that people choose for the new group': ['groups.create id'],
  'a shift is found by person and day': ['shifts.remove userId'],
  'a stream that is refused, with 422, writes a log row whose commit fails': ['moves.create targetAccountId'],
}

describe('an absent id alone', () => {
  let courses: Courses
  let good: Awaited<ReturnType<typeof goodRequests>>
  beforeAll(async () => {
    courses = await openCourses()
    good = await goodRequests(courses.db)
  })
  afterAll(() => courses.close())

  const cases = writing.flatMap((call) =>
    [...new Set(idsOf(call))].map((path) => ({ call, path, name: `${call.name} ${path}` })),
  )
  it.each(cases)('is refused by $name', async ({ call, path, name }) => {
    const request = await good(call)
    if (!request) return // as above
    const [{ statusCode, body }, { failed }] = await courses.during('commit', () =>
      courses.send(withAlone(request, path, path in (call.endpoint.schemas.query?.shape ?? {}))),
    )
    const isRefused = !failed && [400, 404, 409, 422].includes(statusCode)
    expect(isRefused, `${statusCode} ${failed ? 'the call succeeds' : body}`).toBe(
      !Object.values(alone).flat().includes(name),
    )
  })
})

describe('a list of one’s own and of others', () => {
  let d: Departments
  beforeAll(async () => {
    d = await openDepartments()
  })
  afterAll(() => d.t.close())

  const place = async (name: string) => (await d.made('/auth/departments', { name })).id
  const ofBoth: Record<string, (caller: { id: number; token: string }) => Promise<Ask>> = {
    'file-manager:file:delete': async ({ id }) => {
      const ids = [await file(id), await file((await d.of(d.board)).id)]
      return { method: 'DELETE', path: `/internal-file-manager/delete-files?ids=${ids}`, expected: 404, rows: files }
    },
    'users:role:assign': async () => {
      const role = await d.made('/auth/roles', { name: 'Listed', scopes: [] })
      const [weak, strong] = [await d.of(d.support), await d.of(d.support, 'dns:zone:delete')]
      const body = { users: [weak.id, strong.id], role: role.id }
      return { method: 'PATCH', path: '/auth/roles/users', body, expected: 403, rows: users }
    },
    'users:department:update': async () => {
      const people = [await d.t.somebody([]), await d.of(d.board)]
      const body = { add: people.map(({ id }) => id) }
      return { method: 'PATCH', path: `/auth/departments/${d.support}`, body, expected: 403, rows: users }
    },
    'dns:department:delete': async () => {
      const ids = [await place('Without zones'), d.board]
      await d.made('/dns/departments', { ids })
      await d.made('/dns/zones', { domain: 'listed.example', departmentIds: [d.board] })
      return { method: 'DELETE', path: '/dns/departments', body: { ids }, expected: 403, rows: dnsDepartments }
    },
  }
  interface Ask {
    method: 'PATCH' | 'DELETE'
    path: string
    body?: unknown
    expected: number
    /** The table that would change. */
    rows: PgTable
  }
  const file = async (ownerId: number) => {
    const name = `${ownerId}.txt`
    const values = {
      name,
      size: 1,
      ...({ type: 'text/plain', kind: 'text' } as const),
      sha256: '',
      path: name,
      ownerId,
      isPrivate: true,
    }
    const [made] = await d.t.app.db.insert(files).values(values).returning({ id: files.id })
    return made!.id // one inserted row returns one row
  }

  it.each(Object.entries(ofBoth))('is refused whole with %s, and changes neither', async (scope, prepare) => {
    const caller = await d.of(d.support, scope)
    const { method, path, body, expected, rows } = await prepare(caller)
    const stored = () => d.t.app.db.select().from(rows).orderBy(sql`1`)
    const before = await stored()
    const { status, body: said } = await d.call(caller.token, method, path, body)
    expect(status, JSON.stringify(said)).toBe(expected)
    expect(await stored()).toEqual(before)
  })
})
