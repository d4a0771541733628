import type { scrums as contract } from '@innkeeper/contract/desk/scrums/calls'
import type { AuditStatus, DevAudit } from '@innkeeper/contract/desk/scrums/shapes'
import { eq, sql } from 'drizzle-orm'
import { notify } from '../../access/notifications/notify.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, outOfReach, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { addDays } from '../../planning/calendar/days.ts'
import { todayIn } from '../../planning/calendar/places.ts'
import { blankItems, checkComplete, saveItems } from './items.ts'
import { mayAudit } from './reach.ts'
import { readSettings } from './settings.ts'
import { scrumAudits as table } from './tables.ts'
import { findAudit, logged } from './view.ts'

type Calls = 'createAudit' | 'updateAudit' | 'removeAudit' | 'acknowledge'

export const auditHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async createAudit({ name, userId, status, items, summary, ...period }, context) {
    const { db, staff, audit, now } = context
    await checkPerson(db, userId)
    await mayAudit(db, staff, userId)
    const { scale, periodDays } = await readSettings(db)
    const periodEnd = period.periodEnd ?? (await todayIn(db, now, staff.departmentId))
    const periodStart = period.periodStart ?? addDays(periodEnd, 1 - periodDays)
    checkPeriod({ periodStart, periodEnd })
    await checkOnce(db, { auditorId: staff.id, userId, periodStart, periodEnd })
    const [made] = await db
      .insert(table)
      .values({
        ...{ name, userId, auditorId: staff.id, periodStart, periodEnd, scale, createdBy: staff.id },
        ...(summary !== undefined && { summary }),
      })
      .returning({ id: table.id })
    const { id } = made! // one inserted row returns one row
    await saveItems(db, id, scale, items ?? (await blankItems(db)))
    if (status === 'submitted') await submit(context, await findAudit(db, staff, id))
    const saved = await findAudit(db, staff, id)
    audit.of('scrum-audit', id)
    audit.after(logged(saved))
    await changed(db, 'scrums', id)
    return saved
  },

  async updateAudit({ id, version, status, items, ...fields }, context) {
    const { db, staff, audit } = context
    const before = await holdOwn(context, id, version)
    const changes = items !== undefined || Object.values(fields).some((value) => value !== undefined)
    if (changes && before.status !== 'draft' && status !== 'draft')
      throw conflict('A submitted audit cannot be changed: withdraw it first', { current: before })
    if (status === 'draft' && before.status === 'submitted') await takeBack(context, before)
    const period = {
      periodStart: fields.periodStart ?? before.periodStart,
      periodEnd: fields.periodEnd ?? before.periodEnd,
    }
    checkPeriod(period)
    await checkOnce(db, { ...period, auditorId: before.auditor.id, userId: before.user.id }, id)
    await db
      .update(table)
      .set({ ...fields, ...nextVersion })
      .where(eq(table.id, id))
    if (items) await saveItems(db, id, before.scale, items)
    if (status === 'acknowledged')
      throw refused('Only the audited person can acknowledge', { status: 'Only the audited person can set this' })
    if (status === 'submitted' && before.status === 'draft') await submit(context, await findAudit(db, staff, id))
    const after = await findAudit(db, staff, id)
    audit.after(logged(after))
    await changed(db, 'scrums', id)
    return after
  },

  async removeAudit({ id, version }, context) {
    const { db } = context
    const audit = await holdOwn(context, id, version)
    await db
      .update(table)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(table.id, id))
    if (audit.status === 'submitted') await notifyOfLoss(context, audit, 'deleted')
    await changed(db, 'scrums', id)
  },

  async acknowledge({ id, version, reply = '' }, { db, staff, audit }) {
    const before = await findAudit(db, staff, id, true)
    audit.of('scrum-audit', id)
    audit.before(logged(before))
    if (before.user.id !== staff.id) throw outOfReach('Only the audited person can acknowledge an audit')
    if (before.status === 'acknowledged') throw conflict('You have already acknowledged it', { current: before })
    checkVersion(before, version, before.name)
    await setStatus(db, id, 'acknowledged', { reply, acknowledgedAt: sql`now()` })
    await notify(db, {
      ...{ to: [before.auditor.id], reason: 'quality', link: `/scrums/edit/audits/${id}` },
      title: `${staff.name} acknowledged ${before.name}`,
      body: reply || 'Without a reply.',
    })
    const after = await findAudit(db, staff, id)
    audit.after(logged(after))
    await changed(db, 'scrums', id)
    return after
  },
}

const setStatus = (db: Db, id: number, status: AuditStatus, more: object) =>
  db
    .update(table)
    .set({ status, ...more, ...nextVersion })
    .where(eq(table.id, id))

/** Submits the audit, which from now on keeps the names and weights of its components. */
async function submit({ db, staff }: Context, audit: DevAudit): Promise<void> {
  const { commentBelow } = await readSettings(db)
  checkComplete(audit.items, audit.scale, commentBelow)
  await saveItems(db, audit.id, audit.scale, audit.items)
  await setStatus(db, audit.id, 'submitted', { submittedAt: sql`now()`, remindedAt: null })
  await notify(db, {
    ...{ to: [audit.user.id], reason: 'quality', link: `/scrums/my?audit=${audit.id}` },
    title: `${staff.name} submitted your audit ${audit.name}`,
    body: `${audit.periodStart} to ${audit.periodEnd}. Read and acknowledge it.`,
  })
}

async function takeBack(context: Context, audit: DevAudit): Promise<void> {
  await setStatus(context.db, audit.id, 'draft', { submittedAt: null })
  await notifyOfLoss(context, audit, 'taken back')
}

const notifyOfLoss = ({ db, staff }: Context, audit: DevAudit, what: string) =>
  notify(db, {
    ...{ to: [audit.user.id], reason: 'quality', link: '/scrums/my' },
    title: `Your audit ${audit.name} was ${what}`,
    body: `By ${staff.name}.`,
  })

/** Locks an audit that the caller may change; 409 for an acknowledged one. */
export async function holdOwn({ db, staff, audit: entry }: Context, id: number, version?: number): Promise<DevAudit> {
  const audit = await findAudit(db, staff, id, true)
  entry.of('scrum-audit', id)
  entry.before(logged(audit))
  if (audit.user.id === staff.id || (audit.auditor.id !== staff.id && !staff.isAdmin))
    throw outOfReach(`Only the auditor ${audit.auditor.name} or an administrator can change the audit`)
  if (audit.status === 'acknowledged') throw conflict('An acknowledged audit cannot be changed', { current: audit })
  checkVersion(audit, version, audit.name)
  return audit
}

function checkPeriod({ periodStart, periodEnd }: { periodStart: string; periodEnd: string }): void {
  if (periodEnd < periodStart) throw refused('The end is before the beginning', { periodEnd: 'Before its start' })
}

async function checkPerson(db: Db, userId: number): Promise<void> {
  const [person] = await rows(db, sql`select from users where user_id = ${userId} and deleted_at is null`)
  if (!person) throw refused(`User ${userId} is gone`, { userId: `User ${userId} is gone` })
}

async function checkOnce(
  db: Db,
  {
    auditorId,
    userId,
    periodStart,
    periodEnd,
  }: Record<'auditorId' | 'userId', number> & Record<'periodStart' | 'periodEnd', string>,
  except = 0,
): Promise<void> {
  const [there] = await rows<{ name: string }>(
    db,
    sql`select name from scrum_audits where auditor_id = ${auditorId} and user_id = ${userId} and period_start = ${periodStart}::date
      and period_end = ${periodEnd}::date and deleted_at is null and scrum_audit_id <> ${except}`,
  )
  if (there)
    throw conflict(`${there.name} audits this person over the same period`, {
      fields: { periodEnd: `${there.name} already audits this period` },
    })
}
