import { type Plan, planDefaults, type plans } from '@innkeeper/contract/hosting/plans'
import { desc, eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { given } from '../../kit/db/given.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { whatExceeds } from './exceeding.ts'
import { planVersions, plans as table } from './tables.ts'
import { readPlan, readPlans } from './view.ts'

const sorts = {
  name: { column: nameOrder(table.name), type: 'text', direction: 'ASC' },
  diskMb: { column: table.diskMb, type: 'int', direction: 'ASC' },
  memoryMb: { column: table.memoryMb, type: 'int', direction: 'ASC' },
} as const

export const plansHandlers: Handlers<typeof plans> = {
  async list(input, { db }) {
    const where = [sql`${table.deletedAt} is null`]
    if (input.search) where.push(contains(table.name, input.search))
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${table}`,
      where,
      key: table.id,
      order: sorts[input.sort ?? 'diskMb'],
    })
    return { items: await readPlans(db, ids), ...page }
  },

  one: ({ id }, { db }) => readPlan(db, id),

  async create(input, context) {
    const { db, staff, audit } = context
    await freeName(db, input.name)
    const [made] = await db
      .insert(table)
      .values({ ...planDefaults, ...given(input), name: input.name, createdBy: staff.id })
      .returning({ id: table.id })
    const plan = await keepVersion(context, made!.id)
    audit.after(plan)
    return plan
  },

  async update({ id, version, exceeding, ...change }, context) {
    const { db, audit, status } = context
    const before = await holdPlan(db, id, version)
    const after = { ...before, ...given(change) }
    if (after.name !== before.name) await freeName(db, after.name, id)
    const { exceeding: over, total } = await whatExceeds(db, { planId: id }, after)
    if (total && exceeding !== 'keep') {
      const [first] = over
      const more = total > 1 ? `, and ${total - 1} more` : ''
      throw refused(`${first?.username} on ${first?.serverName} ${first?.what.join(' and ')}${more}`)
    }
    await db
      .update(table)
      .set({ ...given(change), ...nextVersion })
      .where(eq(table.id, id))
    const plan = await keepVersion(context, id)
    audit.before(before)
    audit.after(plan)
    const workflowIds = limitsDiffer(before, plan) ? await context.app.planChanged(context, plan) : []
    if (workflowIds.length === 1) audit.workflow(workflowIds[0]!)
    status(workflowIds.length ? 202 : 200)
    return { ...plan, workflowIds }
  },

  async preview({ id, ...change }, { db }) {
    const plan = { ...(await readPlan(db, id)), ...given(change) }
    const found = await whatExceeds(db, { planId: id }, plan)
    const [reach] = await rows<{ servers: number }>(
      db,
      sql`select count(distinct server_id)::int as servers from system_users where plan_id = ${id} and deleted_at is null`,
    )
    return { ...found, systemUsers: plan.systemUsers, servers: reach?.servers ?? 0 }
  },

  async versions({ id }, { db }) {
    await readPlan(db, id)
    const items = await db
      .select()
      .from(planVersions)
      .where(eq(planVersions.planId, id))
      .orderBy(desc(planVersions.version))
      .limit(200)
    return { items, total: items.length }
  },

  async remove({ id, version }, { db, audit }) {
    const plan = await holdPlan(db, id, version)
    if (plan.systemUsers)
      throw refused(`${plan.name} has ${plan.systemUsers} system users: give them another plan first`)
    audit.before(plan)
    await db.update(table).set({ deletedAt: sql`now()` }).where(eq(table.id, id))
    await changed(db, 'plans', id)
  },
}

/**
 * Locks the plan's row until the transaction ends: an account that is being assigned to the plan either waits or is
 * counted.
 */
async function holdPlan(db: Db, id: number, version: number | undefined): Promise<Plan> {
  await db.select({ id: table.id }).from(table).where(eq(table.id, id)).for('update')
  const plan = await readPlan(db, id)
  checkVersion(plan, version, plan.name)
  return plan
}

async function freeName(db: Db, name: string, but = 0): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from plans where lower(name) = ${name.toLowerCase()} and plan_id <> ${but} and deleted_at is null`,
  )
  if (taken) throw conflict(`Another plan has the name ${name}`, { fields: { name: 'Another plan has this name' } })
}

/** Stores the current row as a version. */
async function keepVersion({ db, staff }: Context, id: number): Promise<Plan> {
  const plan = await readPlan(db, id)
  const { id: planId, createdAt: _, updatedAt: at, systemUsers: __, ...values } = plan
  await db.insert(planVersions).values({ ...values, planId, at, by: staff.name })
  await changed(db, 'plans', id)
  return plan
}

const limitsDiffer = (a: Plan, b: Plan) =>
  a.memoryMb !== b.memoryMb || a.cpuPercent !== b.cpuPercent || a.tasks !== b.tasks || a.diskMb !== b.diskMb
