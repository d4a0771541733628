import type { ipsets as contract } from '@innkeeper/contract/machines/ipsets/calls'
import { keyOf } from '@innkeeper/contract/machines/ipsets/networks'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { changeSet, type KeptSet } from '../publications/publish.ts'
import { bans } from '../tables.ts'
import { findSet, holdSet, readBan } from '../view.ts'
import { endProblem, judge } from './checkBans.ts'
import { readGuard } from './protectedNetworks.ts'

/** Calls for one address or network: check, ban, change, unban. */
export const bansHandlers: Pick<Handlers<typeof contract>, 'ban' | 'change' | 'unban' | 'check'> = {
  async check({ set: key, ip, expiresAt = null }, { db, app, request }) {
    const set = await findSet(db, key)
    const guard = await readGuard(db, app, request.ip)
    const { network, problem, notes } = await judge(db, set.id, guard, ip, expiresAt)
    return { ip: network?.text ?? null, problem: problem?.text ?? null, notes }
  },

  async ban({ set: key, ip, reason = null, expiresAt = null }, { db, app, staff, request, audit }) {
    const set = await holdSet(db, key)
    audit.of('ip-set', set.id)
    const guard = await readGuard(db, app, request.ip)
    const { network, problem, notes } = await judge(db, set.id, guard, ip, expiresAt)
    if (problem || !network)
      throw refused(problem?.text ?? `${ip} is not an address`, problem && { [problem.field]: problem.text })
    if (set.bans >= set.maxElements)
      throw refused(`${set.name} is full with ${set.maxElements} bans`, { ip: 'The set is full' })
    await endDue(db, set, network.text)
    const [made] = await db
      .insert(bans)
      .values({
        setId: set.id,
        ip: network.text,
        first: keyOf(network.family, network.first),
        ...{ reason, expiresAt },
        origin: 'person',
        bannedBy: staff.name,
        change: set.change + 1,
      })
      .returning()
    if (!made) throw new Error('a ban was not saved')
    const { workflowIds } = await changeSet(db, set, 1, staff)
    audit.after({ name: set.name, ip: made.ip, reason, expiresAt })
    if (workflowIds[0] !== undefined) audit.workflow(workflowIds[0])
    return { ...(await shown(db, made.id)), notes, workflowIds }
  },

  async change({ set: key, ip, version, ...change }, { db, staff, audit }) {
    const set = await holdSet(db, key)
    const ban = await holdBan(db, set, ip, version)
    const problem = change.expiresAt === undefined ? undefined : endProblem(change.expiresAt)
    if (problem) throw refused(problem, { expiresAt: problem })
    const isEndChanged = change.expiresAt !== undefined && change.expiresAt !== ban.expiresAt
    await db
      .update(bans)
      .set({
        ...(change.reason !== undefined && { reason: change.reason }),
        ...(isEndChanged && { expiresAt: change.expiresAt, change: set.change + 1 }),
        version: sql`version + 1`,
      })
      .where(sql`${bans.id} = ${ban.id}`)
    // servers store only the expiry: a change of the reason alone is not published
    if (isEndChanged) await changeSet(db, set, 0, staff)
    const after = await shown(db, ban.id)
    audit.of('ip-set', set.id)
    audit.before({ name: set.name, ip, reason: ban.reason, expiresAt: ban.expiresAt })
    audit.after({ name: set.name, ip, reason: after.reason, expiresAt: after.expiresAt })
    return after
  },

  async unban({ set: key, ip, version }, { db, staff, audit }) {
    const set = await holdSet(db, key)
    const ban = await holdBan(db, set, ip, version)
    await db
      .update(bans)
      .set({ endedAt: sql`now()`, endedBy: staff.name, endedChange: set.change + 1, version: sql`version + 1` })
      .where(sql`${bans.id} = ${ban.id}`)
    const { workflowIds } = await changeSet(db, set, -1, staff)
    audit.of('ip-set', set.id)
    audit.before({ name: set.name, ip, reason: ban.reason, expiresAt: ban.expiresAt })
    audit.after(null)
    if (workflowIds[0] !== undefined) audit.workflow(workflowIds[0])
  },
}

async function holdBan(db: Db, set: KeptSet, ip: string, version: number | undefined) {
  const which = sql`${bans.setId} = ${set.id} and ${bans.ip} = ${ip} and ${bans.endedAt} is null`
  const [found] = await db.select().from(bans).where(which)
  if (!found) throw notFound('ban', ip)
  if (version !== undefined && version !== found.version)
    throw conflict(`The ban of ${ip} was changed by somebody else meanwhile`, { current: await shown(db, found.id) })
  return found
}

async function shown(db: Db, id: number) {
  const ban = await readBan(db, sql`${bans.id} = ${id}`)
  if (!ban) throw notFound('ban', id)
  return ban
}

/**
 * Ends an expired ban that `endExpired` has not processed yet, which would conflict with a new ban of the same address.
 */
const endDue = (db: Db, set: KeptSet, ip: string) =>
  db.execute(sql`with gone as (update bans set ended_at = expires_at, ended_by = 'its end'
      where set_id = ${set.id} and ip = ${ip} and ended_at is null and expires_at <= now() returning 1)
    update ip_sets set bans = bans - (select count(*) from gone) where ip_set_id = ${set.id}`)
