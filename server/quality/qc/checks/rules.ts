import type { CheckRule, qcChecks as contract } from '@innkeeper/contract/quality/qc/checks'
import { eq, type SQL, sql } from 'drizzle-orm'
import { checkDepartments } from '../../../access/departments/exists.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { freeName } from '../settings/names.ts'
import { checkSettings, settingsOf } from './settings.ts'
import { FROM_THE_TOP, qcCheckRules as r } from './tables.ts'
import { tryCheck } from './try.ts'
import { readRule, readRules } from './view.ts'

const unique = { table: 'qc_check_rules', key: 'qc_check_rule_id', noun: 'rule', live: sql`deleted_at is null` }
const sorts = {
  name: { column: sql`lower(${r.name})`, type: 'text', direction: 'ASC' },
  failed: { column: r.failed, type: 'int', direction: 'DESC' },
  createdAt: { column: r.createdAt, type: 'instant', direction: 'DESC' },
} as const

/** A rule begins anew: all conversations are judged by it. */
const anew = { revision: sql`revision + 1`, cursor: FROM_THE_TOP }

export const checkHandlers: Handlers<typeof contract> = {
  async checks(input, { db }) {
    const where: SQL[] = [sql`${r.deletedAt} is null`]
    if (input.search) where.push(contains(r.name, input.search))
    if (input.check) where.push(sql`${r.check} = any(${sql.param(input.check)}::text[])`)
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${r}`, where, key: r.id, order })
    return { items: await readRules(db, ids), ...page }
  },

  check: ({ id }, { db }) => readRule(db, id),

  async createCheck(fields, { db, staff, audit }) {
    await freeName(db, unique, fields.name)
    checkSettings(fields.check, settingsOf(fields))
    await checkNamed(db, fields)
    const [made] = await db
      .insert(r)
      .values({ ...given(fields), createdBy: staff.id })
      .returning({ id: r.id })
    const rule = await readRule(db, made!.id) // one inserted row returns one row
    audit.after(rule)
    await changed(db, 'qc')
    return rule
  },

  async updateCheck({ id, version, ...fields }, context) {
    const { db, audit } = context
    const before = await hold(context, id, version)
    if (fields.name) await freeName(db, unique, fields.name, id)
    const after = { ...before, ...given(fields) }
    checkSettings(after.check, settingsOf(after))
    await checkNamed(db, fields, before)
    const isSame = judgedBy(before) === judgedBy(after)
    await db
      .update(r)
      .set({ ...given(fields), ...nextVersion, ...(isSame ? {} : anew) })
      .where(eq(r.id, id))
    const rule = await readRule(db, id)
    audit.after(rule)
    await changed(db, 'qc')
    return rule
  },

  async removeCheck({ id, version }, context) {
    const { db } = context
    await hold(context, id, version)
    await db
      .update(r)
      .set({ deletedAt: sql`now()`, version: sql`version + 1`, ...anew })
      .where(eq(r.id, id))
    await changed(db, 'qc')
  },

  tryCheck,
}

/** What decides the results of a rule. */
const judgedBy = (rule: CheckRule) => JSON.stringify([rule.isActive, rule.check, settingsOf(rule)])

type Named = Partial<Pick<CheckRule, 'sourceIds' | 'departmentIds' | 'scoreTypeId'>>

/** Throws a 422 for what does not exist. What the rule named before may be deleted meanwhile. */
async function checkNamed(
  db: Db,
  fields: { [K in keyof Named]?: Named[K] | undefined },
  before: Named = {},
): Promise<void> {
  const added = (ids: readonly number[] = [], old: readonly number[] = []) => ids.filter((id) => !old.includes(id))
  await checkDepartments(db, added(fields.departmentIds, before.departmentIds), 'departmentIds')
  const sources = added(fields.sourceIds, before.sourceIds)
  const found = await rows<{ id: number }>(
    db,
    sql`select qc_source_id as id from qc_sources where qc_source_id = any(${sql.param(sources)}::int[]) and deleted_at is null`,
  )
  const gone = sources.find((id) => !found.some((source) => source.id === id))
  if (gone !== undefined) throw refused(`Source ${gone} does not exist`, { sourceIds: `Source ${gone} does not exist` })
  const { scoreTypeId: type } = fields
  if (!type || type === before.scoreTypeId) return
  if (!(await rows(db, sql`select from qc_score_types where qc_score_type_id = ${type}`)).length)
    throw refused(`Score type ${type} does not exist`, { scoreTypeId: `Score type ${type} does not exist` })
}

async function hold({ db, audit }: Context, id: number, version: number | undefined): Promise<CheckRule> {
  await db.select({ id: r.id }).from(r).where(eq(r.id, id)).for('update')
  const rule = await readRule(db, id)
  audit.before(rule)
  checkVersion(rule, version, rule.name)
  return rule
}
