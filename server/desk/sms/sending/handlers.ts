import type { sms as contract, SmsBatch, SmsPreview, SmsRecipient } from '@innkeeper/contract/desk/sms/calls'
import { namesIn, ofRecipient } from '@innkeeper/contract/desk/sms/text'
import { and, eq } from 'drizzle-orm'
import { checkDepartments } from '../../../access/departments/exists.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { readBatch } from '../messages/batches.ts'
import { findMessage, shownNumber } from '../messages/view.ts'
import { NO_REPORT } from '../reports.ts'
import { amount, costOf, readSettings, type Settings } from '../settings.ts'
import { smsBatches, smsMessages } from '../tables.ts'
import { findTemplate } from '../templates/view.ts'
import { expand } from './expand.ts'
import { prepare, type Wanted } from './prepare.ts'

type Calls = 'send' | 'preview' | 'again' | 'test'
type Asked = Parameters<Handlers<typeof contract>['preview']>[0]

const SHOWN = 1000

export const sendingHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async send({ requestKey, sendAt = null, ...asked }, context) {
    const { db, staff, now } = context
    const earlier = requestKey === undefined ? undefined : await sentWith(db, staff.id, requestKey)
    if (earlier) return readBatch(db, earlier)
    const wanted = await wantedOf(db, asked)
    checkTime(sendAt, now)
    return sendOut(context, wanted, { sendAt, requestKey, templateName: asked.templateName })
  },

  async preview(asked, { db, staff, now }) {
    checkTime(asked.sendAt, now)
    const settings = await readSettings(db)
    const at = asked.sendAt ? new Date(asked.sendAt) : now
    const recipients = await prepare(db, settings, await wantedOf(db, asked), at)
    return summary(settings, recipients, (one) => ({ ...one, to: shownNumber(staff, one.to, one.userId) }))
  },

  async again({ id }, context) {
    const { db } = context
    await findMessage(context, id)
    const [old] = await db.select().from(smsMessages).where(eq(smsMessages.id, id))
    if (!old) throw notFound('message', id)
    const mayBeLost = old.status === 'sent' && old.errorCode === NO_REPORT
    if (!mayBeLost && !['failed', 'undelivered', 'cancelled'].includes(old.status))
      throw refused('Only a message that did not arrive can be sent again')
    const { userId, number, body } = old
    const targets = { users: userId ? [userId] : [], numbers: userId ? [] : [number], departments: [], shifts: [] }
    return sendOut(context, { kind: 'message', targets, body, values: {}, urgent: false }, {})
  },

  async test({ to }, context) {
    const targets = { numbers: [to], users: [], departments: [], shifts: [] }
    const body = `Test message of ${context.app.settings.provider}.`
    return sendOut(context, { kind: 'test', targets, body, values: {}, urgent: true }, {})
  },
}

function checkTime(sendAt: string | null | undefined, now: Date): void {
  if (sendAt && sendAt <= now.toISOString()) throw refused('This time has passed', { sendAt: 'Choose a future time' })
}

async function sentWith(db: Db, createdBy: number, requestKey: string): Promise<number | undefined> {
  const [earlier] = await db
    .select({ id: smsBatches.id })
    .from(smsBatches)
    .where(and(eq(smsBatches.createdBy, createdBy), eq(smsBatches.requestKey, requestKey)))
  return earlier?.id
}

/** Checks text, placeholders and recipients. */
async function wantedOf(db: Db, asked: Asked): Promise<Wanted> {
  const { to = [], users = [], departments = [], shifts = [], values = {}, urgent = false } = asked
  if (asked.body && asked.templateName) throw refused('A text or a template, not both', { body: 'Or a template' })
  const body = asked.templateName ? (await findTemplate(db, asked.templateName)).body : asked.body
  if (!body) throw refused('No text is given', { body: 'A text or a template' })
  if (!to.length && !users.length && !departments.length && !shifts.length)
    throw refused('No recipient is given', { to: 'At least one recipient' })
  await checkPeople(db, users, 'users')
  await checkDepartments(db, departments, 'departments')
  const everywhere = 0
  await checkDepartments(
    db,
    shifts.filter((id) => id !== everywhere),
    'shifts',
  )
  const used = namesIn(body).filter((name) => !ofRecipient.some((own) => own === name))
  const lacking = used.filter((name) => !values[name])
  if (lacking.length)
    throw refused(
      `No value for ${lacking.join(', ')}`,
      Object.fromEntries(lacking.map((name) => [`values.${name}`, 'Required'])),
    )
  const unused = Object.keys(values).find((name) => !used.includes(name))
  if (unused) throw refused(`The text does not use ${unused}`, { [`values.${unused}`]: 'Not in the text' })
  return { kind: 'message', targets: { numbers: [...new Set(to)], users, departments, shifts }, body, values, urgent }
}

interface How {
  sendAt?: string | null
  requestKey?: string | undefined
  templateName?: string | undefined
}

/** Writes the batch, and its messages unless it is scheduled. */
async function sendOut(context: Context, wanted: Wanted, how: How): Promise<SmsBatch> {
  const { db, staff, now, audit } = context
  const settings = await readSettings(db)
  if (settings.gateway === 'none') throw refused('No SMS gateway is set up. Settings of SMS name one.')
  const [made] = await db
    .insert(smsBatches)
    .values({ ...wanted, ...how, createdBy: staff.id })
    .onConflictDoNothing()
    .returning({ id: smsBatches.id })
  const earlier = made || how.requestKey === undefined ? undefined : await sentWith(db, staff.id, how.requestKey)
  if (earlier) return readBatch(db, earlier) // the same request arrived twice at once
  const { id } = made! // only the key of the request can conflict
  if (!how.sendAt) {
    const recipients = await expand(db, settings, { ...wanted, id, createdBy: staff.id }, now)
    if (!recipients.some(({ skipped }) => skipped === null))
      throw refused(
        recipients[0]?.skipped ? `No recipient gets it: ${recipients[0].skipped}` : 'There are no recipients',
        {
          to: recipients[0]?.skipped ?? 'No recipient was found',
        },
      )
  }
  const batch = await readBatch(db, id)
  audit.of('sms-batch', id)
  audit.after(batch)
  await changed(db, 'sms', id)
  return batch
}

function summary(
  settings: Settings,
  all: readonly SmsRecipient[],
  show: (one: SmsRecipient) => SmsRecipient,
): SmsPreview {
  const going = all.filter(({ skipped }) => skipped === null)
  const segments = going.reduce((sum, one) => sum + one.segments, 0)
  return {
    recipients: all.slice(0, SHOWN).map(show),
    ...{ messages: going.length, skipped: all.length - going.length, segments },
    cost: amount(costOf(settings, segments)),
    currency: settings.currency,
  }
}
