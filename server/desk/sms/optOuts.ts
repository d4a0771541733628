import type { sms as contract, SmsOptOut, SmsReply } from '@innkeeper/contract/desk/sms/calls'
import { holds } from '@innkeeper/contract/kit/access'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains, inOrder, pageKeys } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { shownNumber } from './messages/view.ts'
import { smsOptOuts, smsReplies } from './tables.ts'

type Calls = 'optOuts' | 'addOptOut' | 'removeOptOut' | 'replies'

const o = smsOptOuts
const r = smsReplies

export const optOutHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async optOuts(input, { db, staff }) {
    const where: SQL[] = [sql`true`]
    if (input.search) where.push(contains(o.number, input.search))
    // without the permission, a search must not find hidden digits either
    if (input.search && !holds(staff, 'employee:profile:read')) where.push(sql`${colleague(o.number)} is null`)
    const order = { column: o.createdAt, type: 'instant', direction: 'DESC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${o}`, where, key: o.id, order })
    return { items: await readOptOuts(db, staff, ids), ...page }
  },

  async addOptOut({ number, note = '' }, { db, staff, audit }) {
    const [made] = await db
      .insert(o)
      .values({ number, note, source: 'staff', createdBy: staff.id })
      .onConflictDoNothing()
      .returning({ id: o.id })
    if (!made) throw conflict('This number is already opted out', { fields: { number: 'Already opted out' } })
    const [optOut] = await readOptOuts(db, staff, [made.id])
    if (!optOut) throw notFound('number', made.id)
    audit.of('sms-opt-out', made.id)
    audit.after(optOut)
    await changed(db, 'sms')
    return optOut
  },

  async removeOptOut({ id }, { db, audit }) {
    const [gone] = await rows<{ number: string }>(
      db,
      sql`delete from sms_opt_outs where sms_opt_out_id = ${id} returning number`,
    )
    if (!gone) throw notFound('number', id)
    audit.of('sms-opt-out', id)
    audit.before(gone)
    await changed(db, 'sms')
  },

  async replies(input, { db, staff }) {
    const order = { column: r.at, type: 'instant', direction: 'DESC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${r}`, where: [sql`true`], key: r.id, order })
    const found = inOrder(ids, await selectReplies(db, ids))
    const items = found.map(({ userId, ...one }) => ({
      ...one,
      from: shownNumber(staff, one.from, userId),
      at: isoOf(one.at),
    }))
    return { items, ...page }
  },
}

/** The person whose number this is, as far as messages were sent to them. */
const colleague = (number: SQL | AnyColumn): SQL =>
  sql`(select m.user_id from sms_messages m where m.number = ${number} and m.user_id is not null limit 1)`

const selectOptOuts = rowsByIds<Omit<SmsOptOut, 'createdAt'> & { createdAt: string | Date; userId: number | null }>(
  (isWanted) => sql`select o.sms_opt_out_id as id, o.number, ${colleague(sql`o.number`)} as "userId", o.source, o.note,
      o.created_at as "createdAt",
      ${personName('u')} as by
    from sms_opt_outs o left join users u on u.user_id = o.created_by where ${isWanted(sql`o.sms_opt_out_id`)}`,
)
const selectReplies = rowsByIds<Omit<SmsReply, 'at'> & { at: string | Date; userId: number | null }>(
  (isWanted) => sql`select a.sms_reply_id as id, a.number as from, a.user_id as "userId",
      ${personName('u')} as "userName", a.text, a.at, a.effect
    from sms_replies a left join users u on u.user_id = a.user_id where ${isWanted(sql`a.sms_reply_id`)}`,
)

const readOptOuts = async (db: Db, staff: Staff, ids: number[]): Promise<SmsOptOut[]> =>
  inOrder(ids, await selectOptOuts(db, ids)).map(({ userId, ...one }) => ({
    ...one,
    number: shownNumber(staff, one.number, userId),
    createdAt: isoOf(one.createdAt),
  }))
