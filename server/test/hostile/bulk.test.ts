import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sliced } from '../../../bin/slice.ts'
import { rows } from '../../kit/db/db.ts'
import { tablesOf } from '../../kit/ownBackup/backup.ts'
import { type Call, writing } from './calls.ts'
import { type Courses, openCourses } from './courses.ts'
import { goodRequests } from './good.ts'
import { idsIn, listsOf, withOnly } from './idLists.ts'
import type { Sent } from './requests.ts'

/**
 * Finds each list of ids in the writing calls, as lists.test.ts does, and tries it with rows of the world that differ: one id
 * twice, a row that was deleted, a row that the call refuses, and for people a row of their own with one of somebody else.
 * All of a list is done, or nothing.
 */
let courses: Courses
let good: Awaited<ReturnType<typeof goodRequests>>
/** Rows that the good request of a call names. */
let named: { table: string; id: number }[] = []
/** Counts for each table the rows that the running transaction has written. */
let written = ''
/** First column of each table, and the tables whose rows are deleted by a date. */
const keys = new Map<string, string>()
const dated = new Set<string>()

beforeAll(async () => {
  courses = await openCourses()
  good = await goodRequests(courses.db, (table, id) => void named.push({ table, id }))
  const columns = await rows<{ table: string; name: string; at: number }>(
    courses.db,
    sql`select table_name as "table", column_name as name, ordinal_position::int as at
      from information_schema.columns where table_schema = 'public'`,
  )
  for (const { table, name, at } of columns) {
    if (at === 1) keys.set(table, name)
    if (name === 'deleted_at') dated.add(table)
  }
  const counts = (await tablesOf(courses.db)).map(
    ({ name }) => `select '${name}' as name, count(*)::int as n from "${name}"
      where xmin::text::bigint >= pg_current_xact_id()::xid::text::bigint having count(*) > 0`,
  )
  written = counts.join(' union all ')
})
afterAll(() => courses.close())

/** Tables of ids that the good request of a call does not name by a row, by the name of the field. */
const tables: [RegExp, string][] = [
  [/^(users|userIds?|notifyUsers|mentions|participants|memberIds|agentId|agents|fallbackIds|remove|add)$/, 'users'],
  [/^(departmentIds?|departments|alertDepartments|shifts)$/, 'departments'],
  [/^roleIds?$/, 'roles'],
  [/^serverIds$/, 'servers'],
  [/^sourceIds$/, 'qc_sources'],
  [/^tags$/, 'qc_tags'],
  [/^(fileIds|files)$/, 'files'],
  [/^websiteIds$/, 'websites'],
  [/^mailboxIds$/, 'mailboxes'],
  [/^leaves$/, 'leaves'],
  [/^(shiftTypeId|pattern)$/, 'shift_types'],
  [/^gradeIds?$/, 'qc_score_grades'],
  [/^scoreTypeId$/, 'qc_score_types'],
  [/^componentId$/, 'scrum_components'],
  [/^databases$/, 'databases'],
]

/** Lists that take a row that was deleted, with the reason. */
const takesDeleted: Record<string, readonly string[]> = {
  'what is in the trash': ['files.restore ids', 'files.purge ids'],
  'a filter': ['databases.dismissAll websiteIds'],
  'each item has its own result': ['bugs', 'features', 'internalTickets'].map((tracker) => `${tracker}.bulk ids`),
  'a draft is judged when it is submitted': ['qcChats', 'qcTickets'].flatMap((kind) =>
    ['tags', 'scores.[].agentId'].map((field) => `${kind}.saveDraft data.${field}`),
  ),
  'a calibration keeps neither': ['tags', 'scores.[].agentId'].map(
    (field) => `qcCalibrations.submitCalibration data.${field}`,
  ),
  'an audit keeps the components that it has': ['scrums.updateAudit items.[].componentId'],
  'the status of a deleted website says so, which a date alone does not': ['originVhosts.phpOfMany ids'],
}
/** Lists with rows that are refused alone and taken beside others, with the reason. */
const takesBeside: Record<string, readonly string[]> = {
  'people without shifts have nothing to copy': ['shifts.copy userIds'],
  'the main website has to be in the list': ['groups.update ids'],
  'a role that nobody holds adds nothing to review': ['accessReviews.create roleIds'],
}
const isIn = (lists: Record<string, readonly string[]>, name: string) => Object.values(lists).flat().includes(name)

const cases = writing.flatMap((call) =>
  [...new Set(listsOf(call))].map((path) => ({ call, path, name: `${call.name} ${path}` })),
)

/** Sends the request, whose commit fails. `done`: it reached its commit; `rows`: how many it had written. */
async function tried(request: Sent, token = courses.admin) {
  await courses.clearGuesses()
  const [answer, { failed, looked }] = await courses.during('commit', () => courses.send(request, token), written)
  const counted = (looked as { name: string; n: number }[]).map(({ name, n }) => `${name} ${n}`)
  return { done: failed, about: `${answer.statusCode} ${answer.body}`, rows: counted.toSorted() }
}

interface Rows {
  table: string
  /** Ids of which the call accepts each alone, and those that it refuses. */
  good: number[]
  bad: number[]
}
/** The rows of the world that a list could name. */
async function rowsOf(request: Sent, name: string, path: string): Promise<Rows | undefined> {
  const field = path.split('.').findLast((key) => key !== '[]') ?? ''
  const [own] = idsIn(request, name, path)
  const table =
    tables.find(([pattern]) => pattern.test(field))?.[1] ?? named.findLast(({ id }) => id === own)?.table ?? ''
  const key = keys.get(table)
  if (!key) return undefined
  const found = await rows<{ id: number }>(
    courses.db,
    sql`select ${sql.identifier(key)} as id from ${sql.identifier(table)} order by 1 limit 8`,
  )
  const ids = new Set([...(own === undefined ? [] : [own]), ...found.map(({ id }) => Number(id))])
  const known: Rows = { table, good: [], bad: [] }
  for (const id of ids) known[(await tried(withOnly(request, name, path, [id]))).done ? 'good' : 'bad'].push(id)
  return known
}

/** People with the permissions of the call only: of no department, and of one. */
async function peopleFor({ scopes }: Call): Promise<string[]> {
  const strangers = [await courses.somebody(scopes), await courses.somebody(scopes)]
  await courses.db.execute(sql`update users set department_id = (select min(department_id) from users)
    where user_id = ${strangers[1]?.id}`)
  return strangers.map(({ token }) => token)
}

describe('a list of ids', () => {
  it('has known exceptions', () => {
    const names = cases.map(({ name }) => name)
    const listed = [takesDeleted, takesBeside].flatMap((lists) => Object.values(lists).flat())
    expect(listed.filter((name) => !names.includes(name))).toEqual([])
  })
  it.each(sliced(cases))('is done whole or not at all: $name', async ({ call, path, name }) => {
    named = []
    const request = await good(call)
    const known = request && (await rowsOf(request, name, path))
    const [first, second] = known?.good ?? []
    if (!known || first === undefined) return // ids of no table, or a call that needs more than one
    const list = (...ids: number[]) => withOnly(request, name, path, ids)
    // two objects of one id may be two acts
    const twice = path.includes('[]') ? undefined : await tried(list(first, first))
    if (twice?.done) expect(twice.rows, `${first} twice`).toEqual((await tried(list(first))).rows)
    for (const bad of known.bad)
      if (!isIn(takesBeside, name)) expect((await tried(list(first, bad))).done, `${known.table} ${bad}`).toBe(false)
    if (second === undefined) return
    if (dated.has(known.table) && !isIn(takesDeleted, name)) {
      const put = (when: ReturnType<typeof sql>) =>
        courses.db.execute(sql`update ${sql.identifier(known.table)} set deleted_at = ${when}
          where ${sql.identifier(keys.get(known.table) ?? '')} = ${second}`)
      await put(sql`now()`)
      try {
        expect((await tried(list(first, second))).done, `${known.table} ${second} is deleted`).toBe(false)
      } finally {
        await put(sql`null`)
      }
    }
    for (const token of await peopleFor(call)) {
      const mine: number[] = []
      const theirs: number[] = []
      for (const id of known.good) ((await tried(list(id), token)).done ? mine : theirs).push(id)
      const [own, foreign] = [mine[0], theirs[0]]
      if (own === undefined || foreign === undefined) continue
      for (const both of [list(own, foreign), list(foreign, own)])
        expect(await tried(both, token), `own ${own}, of others ${foreign}`).toMatchObject({ done: false, rows: [] })
    }
  })
})
