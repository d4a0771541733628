import { readFilter } from '@innkeeper/contract/quality/qc/filterText'
import type { CronFilter, qcCron as contract } from '@innkeeper/contract/quality/qc/settings'
import { eq, type SQL, sql } from 'drizzle-orm'
import { byIds } from '../../../kit/db/byIds.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { unknownName } from '../conversations/terms.ts'
import { countMatches } from './cronMatches.ts'
import { freeName } from './names.ts'
import { qcCronFilters, type qcCronRuns } from './tables.ts'

const live = sql`${qcCronFilters.deletedAt} is null`
const unique = {
  table: 'qc_cron_filters',
  key: 'qc_cron_filter_id',
  noun: 'cron filter',
  live: sql`deleted_at is null`,
}
const sorts = {
  name: { column: sql`lower(${qcCronFilters.name})`, type: 'text', direction: 'ASC' },
  createdAt: { column: qcCronFilters.createdAt, type: 'instant', direction: 'DESC' },
} as const

export const cronHandlers: Handlers<typeof contract> = {
  async cronFilters(input, { db }) {
    const where: SQL[] = [live]
    if (input.search) where.push(contains(qcCronFilters.name, input.search))
    const source = { from: sql`${qcCronFilters}`, where, key: qcCronFilters.id, order: sorts[input.sort ?? 'name'] }
    const { ids, ...page } = await pageKeys(db, input, source)
    return { items: await readFilters(db, ids), ...page }
  },

  cronFilter: ({ id }, { db }) => readOne(db, id),

  async createCronFilter({ name, value, ...fields }, { db, staff, audit }) {
    await checkValue(db, value)
    const called = name ?? value.slice(0, 80)
    await freeName(db, unique, called)
    const [made] = await db
      .insert(qcCronFilters)
      .values({ ...given(fields), name: called, value, createdBy: staff.id })
      .returning({ id: qcCronFilters.id })
    const filter = await readOne(db, made!.id) // one inserted row returns one row
    audit.after(filter)
    await changed(db, 'qc')
    return filter
  },

  async updateCronFilter({ id, version, ...fields }, context) {
    const { db, audit } = context
    await hold(context, id, version)
    if (fields.value) await checkValue(db, fields.value)
    if (fields.name) await freeName(db, unique, fields.name, id)
    await db
      .update(qcCronFilters)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(qcCronFilters.id, id))
    const filter = await readOne(db, id)
    audit.after(filter)
    await changed(db, 'qc')
    return filter
  },

  async removeCronFilter({ id, version }, context) {
    const { db } = context
    await hold(context, id, version)
    await db
      .update(qcCronFilters)
      .set({ deletedAt: sql`now()`, version: sql`version + 1` })
      .where(eq(qcCronFilters.id, id))
    await changed(db, 'qc')
  },
}

/** Throws a 422 if the filter cannot be read or names what does not exist. */
async function checkValue(db: Db, value: string): Promise<void> {
  const read = readFilter(value)
  const problem = 'problem' in read ? read.problem : await unknownName(db, read.terms)
  if (problem) throw refused(problem, { value: problem })
}

async function hold({ db, audit }: Context, id: number, version: number | undefined): Promise<void> {
  await db.select({ id: qcCronFilters.id }).from(qcCronFilters).where(eq(qcCronFilters.id, id)).for('update')
  const filter = await readOne(db, id)
  audit.before(filter)
  checkVersion(filter, version, filter.name)
}

async function readOne(db: Db, id: number): Promise<CronFilter> {
  const [filter] = await readFilters(db, [id])
  if (!filter) throw notFound('cron filter', id)
  return filter
}

/** Maximum number of runs that a filter shows. */
const SHOWN = 20

const select = byIds((db, isWanted) =>
  db
    .select()
    .from(qcCronFilters)
    .where(sql`${isWanted(qcCronFilters.id)} and ${live}`),
)

async function readFilters(db: Db, ids: number[]): Promise<CronFilter[]> {
  const found = inOrder(ids, await select(db, ids))
  const runs = await rows<typeof qcCronRuns.$inferSelect & { at: string | Date; n: string }>(
    db,
    sql`select qc_cron_run_id as id, filter_id as "filterId", at, matched, queued, capped, error from (
        select *, row_number() over (partition by filter_id order by qc_cron_run_id desc) as nth from qc_cron_runs
        where filter_id = any(${sql.param(ids)}::int[])) as latest
      where nth <= ${SHOWN} order by qc_cron_run_id desc`,
  )
  const matches = await countMatches(
    db,
    found.map(({ value }) => value),
  )
  return found.map(({ createdBy: _, deletedAt: __, ...filter }, n) => ({
    ...filter,
    wouldMatch: matches[n] ?? 0,
    runs: runs
      .filter(({ filterId }) => filterId === filter.id)
      .map(({ filterId: _, at, ...run }) => ({ ...run, at: new Date(at).toISOString() })),
  }))
}
