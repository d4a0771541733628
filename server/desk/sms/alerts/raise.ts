import { levels, type Reason } from '@innkeeper/contract/access/notifications'
import { countSegments } from '@innkeeper/contract/desk/sms/segments'
import { tidy } from '@innkeeper/contract/desk/sms/text'
import { sql } from 'drizzle-orm'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { expand, writeMessages } from '../sending/expand.ts'
import { prepare } from '../sending/prepare.ts'
import { readSettings, type Settings } from '../settings.ts'
import type { Targets } from '../tables.ts'

/** Older notifications cause no alert, so that turning alerts on does not repeat earlier notifications. */
const FRESH_MINUTES = 10
const MOST_SEGMENTS = 2

interface News {
  key: string
  title: string
  body: string
  link: string | null
}

/**
 * Alerts the people on shift of new notifications with the chosen reasons. The rows of one notification have the same
 * time, so that they cause one alert; its unique key prevents a second alert by another worker.
 */
export async function raiseAlerts({ db }: App): Promise<void> {
  const settings = await readSettings(db)
  if (settings.gateway === 'none') return
  if (settings.alertReasons.length)
    for (const news of await newsOf(db, settings.alertReasons, settings)) {
      await db.transaction((tx) => raise(tx, settings, news))
    }
  if (settings.escalateMinutes && settings.fallbackIds.length) await db.transaction((tx) => escalate(tx, settings))
}

const newsOf = (db: Db, reasons: Reason[], { alertLevel }: Settings): Promise<News[]> =>
  rows(
    db,
    sql`select * from (select distinct on (key) md5(n.date::text || n.reason || n.title || coalesce(n.link, '')) as key, n.title, n.body, n.link
        from notifications n where n.date > now() - make_interval(mins => ${FRESH_MINUTES}) and n.reason = any(${sql.param(reasons)}::text[])
          and n.level = any(${sql.param(levels.slice(levels.indexOf(alertLevel)))}::text[])) fresh
      where not exists (select from sms_batches b where b.alert_key = fresh.key) limit 50`,
  )

const nobody: Targets = { numbers: [], users: [], departments: [], shifts: [] }

async function raise(tx: Db, settings: Settings, { key, title, body, link }: News): Promise<void> {
  const targets = { ...nobody, shifts: settings.alertDepartments.length ? settings.alertDepartments : [0] }
  const [made] = await rows<{ id: number }>(
    tx,
    sql`insert into sms_batches (kind, body, "values", targets, urgent, alert_key, link)
      values ('alert', '', '{}', ${JSON.stringify(targets)}::jsonb, true, ${key}, ${link}) on conflict do nothing returning sms_batch_id as id`,
  )
  if (!made) return
  const { id } = made
  const text = alertText(title, body, id)
  await tx.execute(sql`update sms_batches set body = ${text} where sms_batch_id = ${id}`)
  const alert = { id, kind: 'alert' as const, body: text, values: {}, urgent: true, createdBy: null }
  const going = async (to: Targets) =>
    (await expand(tx, settings, { ...alert, targets: to }, new Date())).some(({ skipped }) => skipped === null)
  const reached = (await going(targets)) || (await going({ ...nobody, users: settings.fallbackIds }))
  if (!reached)
    await notify(tx, {
      ...{ to: await holdersOf(tx, 'sms:settings:update'), reason: 'sms', level: 'error', link: '/sms/settings' },
      title: 'An alert reached nobody',
      body: `${title}. Nobody on shift and nobody of the fallback has a number.`,
    })
  await changed(tx, 'sms', id)
}

/**
 * Text of an alert without braces, which would be read as placeholders. It contains the number of the alert, which an
 * answer must name, because several may be open.
 */
function alertText(title: string, body: string, id: number): string {
  const answer = `\nAnswer OK ${id}`
  const symbols = [...tidy(`${title}: ${body}`).replace(/[{}]/g, ' ')]
  let kept = Math.min(symbols.length, 400)
  while (kept > 0 && countSegments(symbols.slice(0, kept).join('') + answer).segments > MOST_SEGMENTS) kept -= 1
  return symbols.slice(0, kept).join('') + answer
}

/** Alerts the fallback once of alerts that nobody has acknowledged. */
async function escalate(tx: Db, settings: Settings): Promise<void> {
  const late = await rows<{ id: number; body: string }>(
    tx,
    sql`update sms_batches set escalated_at = now() where sms_batch_id in (select sms_batch_id from sms_batches
        where kind = 'alert' and acknowledged_at is null and escalated_at is null
          and created_at between now() - interval '24 hours' and now() - make_interval(mins => ${settings.escalateMinutes})
        limit 50 for update skip locked)
      returning sms_batch_id as id, body`,
  )
  for (const { id, body } of late) {
    const had = new Set(
      (await rows<{ number: string }>(tx, sql`select number from sms_messages where sms_batch_id = ${id}`)).map(
        ({ number }) => number,
      ),
    )
    const targets = { ...nobody, users: settings.fallbackIds }
    const wanted = {
      kind: 'alert' as const,
      targets,
      body: `Nobody has answered yet. ${body}`,
      values: {},
      urgent: true,
    }
    const recipients = await prepare(tx, settings, wanted, new Date())
    await writeMessages(
      tx,
      settings,
      { id, kind: 'alert', urgent: true, createdBy: null },
      recipients.filter(({ to }) => !had.has(to)),
    )
    await changed(tx, 'sms', id)
  }
}
