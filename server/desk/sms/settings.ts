import { randomBytes } from 'node:crypto'
import type { sms as contract, SmsSettings } from '@innkeeper/contract/desk/sms/calls'
import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { openTrouble, retryTrouble } from './sending/trouble.ts'
import { smsSettings as table } from './tables.ts'

export type Settings = Omit<typeof table.$inferSelect, 'only'>

/** Names of the stored secrets: the gateway's password, and the key in the addresses that the gateway calls. */
export const PASSWORD = 'sms gateway'
const KEY = 'sms callbacks'
const FORMER_KEY = 'sms callbacks before'
const MILLIONTHS = 1_000_000

const first: Settings = {
  ...{ version: 1, gateway: 'none', url: '', username: '', hasSecret: false, sender: '', publicUrl: '' },
  ...{ countryCode: null, quietFrom: null, quietTo: null, timeZone: 'UTC', perDay: 20, price: null, currency: 'EUR' },
  ...{ maxAttempts: 6, alertReasons: [], alertLevel: 'error', alertDepartments: [], fallbackIds: [] },
  escalateMinutes: 15,
}

export async function readSettings(db: Db, lock = false): Promise<Settings> {
  const query = db.select().from(table)
  const [found] = await (lock ? query.for('update') : query)
  if (!found) return first
  const { only: _, ...settings } = found
  return settings
}

const makeKey = () => randomBytes(24).toString('base64url')
export const callbackKey = ({ secrets }: Pick<App, 'secrets'>, db: Db): Promise<string> =>
  secrets.readOrMake(db, KEY, makeKey)
/** The key before the last renewal: reports on messages that were sent with it still arrive. */
export const formerKey = ({ secrets }: Pick<App, 'secrets'>, db: Db): Promise<string | undefined> =>
  secrets.readKept(db, FORMER_KEY)
export const callbacksAt = ({ publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  `${publicUrl.replace(/\/$/, '')}/api/sms/callbacks`

/** Price of a number of segments in millionths; null without a price. */
export const costOf = ({ price }: Settings, segments: number): number | null => price && price * segments
export const amount = (millionths: number | null): number | null => millionths && millionths / MILLIONTHS

async function shown(db: Db): Promise<SmsSettings> {
  const { fallbackIds, price, ...settings } = await readSettings(db)
  const fallback = await rows<{ id: number; name: string }>(
    db,
    sql`select user_id as id, ${personName()} as name from users
      where user_id = any(${sql.param(fallbackIds)}::int[]) and deleted_at is null order by user_id`,
  )
  const trouble = await openTrouble(db)
  return {
    ...settings,
    price: amount(price),
    fallback,
    trouble: trouble ? { reason: trouble.reason, since: isoOf(trouble.since) } : null,
  }
}

export const settingsHandlers: Pick<Handlers<typeof contract>, 'settings' | 'updateSettings' | 'renewKey'> = {
  settings: (_, { db }) => shown(db),

  async updateSettings({ version, secret, price, url, username, sender, publicUrl, ...fields }, { app, db, audit }) {
    await db.insert(table).values(first).onConflictDoNothing()
    const before = await readSettings(db, true)
    audit.before(before)
    // a form merges with what the settings screen shows, and the price is stored in millionths
    if (version !== undefined && version !== before.version) checkVersion(await shown(db), version, 'The settings')
    const texts = Object.entries({ url, username, sender, publicUrl }).map(([key, text]) => [
      key,
      text === null ? '' : text,
    ])
    const given = Object.fromEntries([...Object.entries(fields), ...texts].filter(([, value]) => value !== undefined))
    const after: Settings = {
      ...before,
      ...given,
      ...(price !== undefined && { price: price === null ? null : Math.round(price * MILLIONTHS) }),
      ...(secret !== undefined && { hasSecret: true }),
      version: before.version + 1,
    }
    checkSettings(after)
    await checkNamed(db, before, fields)
    // a stored password is only sent to the host for which it was entered
    if (secret === undefined && before.hasSecret && hostOf(after.url) !== hostOf(before.url))
      throw refused('Another gateway needs its own password', { secret: 'Required with another address' })
    if (secret !== undefined) await app.secrets.write(db, PASSWORD, secret)
    await db.update(table).set(after)
    await retryTrouble(db, after.gateway !== 'none')
    audit.after(after)
    await changed(db, 'sms')
    return shown(db)
  },

  async renewKey(_, { app, db }) {
    await db.insert(table).values(first).onConflictDoNothing()
    const settings = await readSettings(db, true)
    await app.secrets.write(db, FORMER_KEY, await callbackKey(app, db))
    const key = makeKey()
    await app.secrets.write(db, KEY, key)
    return { replyUrl: `${callbacksAt(settings)}/reply?key=${key}` }
  },
}

/** 422 beside the field for added people and departments that do not exist. */
async function checkNamed(
  db: Db,
  before: Settings,
  { fallbackIds = [], alertDepartments = [] }: Pick<Partial<Settings>, 'fallbackIds' | 'alertDepartments'>,
): Promise<void> {
  const people = fallbackIds.filter((id) => !before.fallbackIds.includes(id))
  const departments = alertDepartments.filter((id) => !before.alertDepartments.includes(id))
  const [found] = await rows<{ person: number | null; department: number | null }>(
    db,
    sql`select (select min(id) from unnest(${sql.param(people)}::int[]) id
          where not exists (select from users where user_id = id and deleted_at is null)) as person,
        (select min(id) from unnest(${sql.param(departments)}::int[]) id
          where not exists (select from departments where department_id = id and deleted_at is null)) as department`,
  )
  if (found?.person) throw refused(`There is no person ${found.person}`, { fallbackIds: 'Somebody here has left' })
  if (found?.department)
    throw refused(`There is no department ${found.department}`, { alertDepartments: 'A department no longer exists' })
}

const hostOf = (url: string) => (url ? new URL(url).host : '')

function checkSettings({
  gateway,
  url,
  username,
  hasSecret,
  quietFrom,
  quietTo,
  alertReasons,
  escalateMinutes,
  fallbackIds,
}: Settings) {
  if (gateway !== 'none' && !url) throw refused('A gateway needs its address', { url: 'Required' })
  if (gateway === 'kannel' && !username) throw refused('Kannel needs a user name', { username: 'Required' })
  if (gateway !== 'none' && !hasSecret) throw refused('A gateway needs its password', { secret: 'Required' })
  if ((quietFrom === null) !== (quietTo === null) || (quietFrom !== null && quietFrom === quietTo))
    throw refused('Quiet hours need a start and a different end', { quietTo: 'A start and another end, or neither' })
  if (alertReasons.length && escalateMinutes && !fallbackIds.length && gateway === 'none')
    throw refused('Alerts need a gateway', { alertReasons: 'Choose a gateway first' })
}
