import type { SmsRecipient } from '@innkeeper/contract/desk/sms/calls'
import { countSegments } from '@innkeeper/contract/desk/sms/segments'
import { fillIn, namesIn, ofRecipient, tidy, toE164 } from '@innkeeper/contract/desk/sms/text'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Settings } from '../settings.ts'
import type { Targets } from '../tables.ts'
import { type Contact, contactsOf } from './people.ts'
import { endOfQuiet } from './quiet.ts'

/** Gateways refuse longer texts, or send them in unreadable pieces. */
const MOST_SEGMENTS = 10

export interface Wanted {
  kind: 'message' | 'alert' | 'test'
  targets: Targets
  body: string
  values: Readonly<Record<string, string>>
  urgent: boolean
}

/**
 * All recipients with text and segments, and for those who get no message the reason. Dry run and send both use this
 * function, so that their results are equal.
 */
export async function prepare(db: Db, settings: Settings, wanted: Wanted, now: Date): Promise<SmsRecipient[]> {
  const contacts = await contactsOf(db, wanted.targets, now)
  const reached = contacts.map((contact) => ({ contact, to: toE164(contact.phone ?? '', settings.countryCode) }))
  const numbers = reached.flatMap(({ to }) => to ?? [])
  const out = await optedOut(db, numbers)
  const counts = wanted.kind === 'message' ? await sentLately(db, numbers) : new Map<string, number>()
  const seen = new Set<string>()
  const used = namesIn(wanted.body)
  return reached.map(({ contact, to }) => {
    const name = `${contact.firstName} ${contact.lastName}`.trim()
    const text = textFor(contact, name, wanted)
    const { encoding, characters, segments } = countSegments(text)
    const skipped =
      unreached(contact, to) ??
      (seen.has(to ?? '') ? 'Gets this message already' : undefined) ??
      (out.has(to ?? '') ? 'Asked for no more messages' : undefined) ??
      ((counts.get(to ?? '') ?? 0) >= settings.perDay ? `Got ${settings.perDay} messages in 24 hours` : undefined) ??
      (segments > MOST_SEGMENTS ? `The text has ${segments} segments, at most ${MOST_SEGMENTS} are sent` : undefined) ??
      (!name && used.some((one) => ofRecipient.some((own) => own === one))
        ? 'A bare number has no name for the text'
        : null)
    if (to && !skipped) seen.add(to)
    const quiet = wanted.urgent ? undefined : endOfQuiet(now, settings, contact.timeZone)
    return {
      ...{ userId: contact.userId, name, to: to ?? '', text, encoding, characters, segments, skipped },
      notBefore: quiet ?? null,
    }
  })
}

const textFor = ({ firstName, lastName }: Contact, name: string, { body, values }: Wanted): string =>
  tidy(fillIn(body, { ...values, ...(name && { firstName, lastName, name }) }))

function unreached({ phone }: Contact, to: string | undefined): string | undefined {
  if (!phone) return 'Has no number in the profile'
  return to ? undefined : 'The number in the profile has no country code'
}

async function optedOut(db: Db, numbers: string[]): Promise<Set<string>> {
  const found = await rows<{ number: string }>(
    db,
    sql`select number from sms_opt_outs where number = any(${sql.param(numbers)}::text[])`,
  )
  return new Set(found.map(({ number }) => number))
}

async function sentLately(db: Db, numbers: string[]): Promise<Map<string, number>> {
  const found = await rows<{ number: string; n: number }>(
    db,
    sql`select number, count(*)::int as n from sms_messages where number = any(${sql.param(numbers)}::text[])
      and created_at > now() - interval '24 hours' and kind = 'message' and status not in ('cancelled', 'failed') group by number`,
  )
  return new Map(found.map(({ number, n }) => [number, n]))
}
