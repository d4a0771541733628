import { sql } from 'drizzle-orm'
import { administrators } from '../../access/notifications/holders.ts'
import type { App } from '../../kit/app/app.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { isAway } from '../../kit/db/failures.ts'
import { changed } from '../../kit/live/live.ts'
import type { Trouble } from '../../kit/watch/trouble.ts'
import { ask, subjectOf } from './alerts/alerts.ts'
import type { Told } from './tables.ts'

/** Only one worker compares at a time, so that each fault is told once. */
const COMPARING = 4_400_188
/** Seconds without a fault after which it has ended: one that comes and goes is one fault. */
export const QUIET_S = 300
/** Faults of one source that are kept; more are counted by their first. */
const MOST = 200

/** Compares the faults of all sources with the open ones. Tells of what has begun and of what has ended. */
export async function compareTroubles(app: App): Promise<void> {
  const found: Trouble[] = []
  const unread: string[] = []
  for (const { prefix, find } of app.troubles)
    try {
      found.push(...(await find(app)).slice(0, MOST))
    } catch (error) {
      if (isAway(error)) throw error
      app.log.error({ err: error, source: prefix }, 'faults of Innkeeper could not be read')
      unread.push(prefix) // what was open stays open
    }
  await app.db.transaction((tx) => compare(tx, app, found, unread))
}

const told = sql`key, title, detail, level, link, since`

async function compare(tx: Db, app: App, found: readonly Trouble[], unread: readonly string[]): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${COMPARING})`)
  const seen = found.filter(({ isUnseen }) => !isUnseen)
  const all = sql`jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as f(key text, title text, detail text, level text, link text)`
  await tx.execute(sql`update own_troubles t set title = f.title, detail = coalesce(f.detail, ''), level = f.level, absent_since = null
    from ${all} where t.key = f.key and t.ended_at is null
      and (t.absent_since is not null or (t.title, t.detail, t.level) is distinct from (f.title, coalesce(f.detail, ''), f.level))`)
  const begun = await rows<Told>(
    tx,
    sql`insert into own_troubles (key, title, detail, level, link)
      select f.key, f.title, coalesce(f.detail, ''), f.level, f.link from ${all}
      on conflict (key) where ended_at is null do nothing returning ${told}`,
  )
  const keys = sql.param(found.map(({ key }) => key))
  await tx.execute(sql`update own_troubles set absent_since = null
    where ended_at is null and absent_since is not null and key = any(${keys}::text[])`)
  await tx.execute(sql`update own_troubles set absent_since = now() where ended_at is null and absent_since is null
    and key <> all(${keys}::text[]) and not exists (select from unnest(${sql.param(unread)}::text[]) p where starts_with(key, p))`)
  const ended = await rows<Told>(
    tx,
    sql`update own_troubles set ended_at = absent_since where ended_at is null
      and absent_since < now() - make_interval(secs => ${QUIET_S}) returning ${told}`,
  )
  await tx.execute(sql`delete from own_troubles where ended_at < now() - interval '90 days'`)
  const watched = await Promise.all(ended.map(({ key }) => isWatched(tx, app, key)))
  for (const [kind, some] of [
    ['begun', begun],
    ['ended', ended.filter((_, n) => watched[n])],
    ['unwatched', ended.filter((_, n) => !watched[n])],
  ] as const) {
    if (!some.length) continue
    const troubles = some.map((one) => ({ ...one, since: isoOf(one.since) }))
    await ask(tx, app.settings, kind, troubles)
    await ring(tx, app, kind, troubles)
  }
  if (begun.length || ended.length) await changed(tx, 'operation')
}

/** Asks the source of the fault. The program of a former version may have written a key that no source has now. */
const isWatched = async (db: Db, { troubles, settings }: App, key: string): Promise<boolean> =>
  (await troubles.find(({ prefix }) => key.startsWith(prefix))?.isWatched?.({ db, settings }, key)) ?? true

const levels = { ended: 'success', unwatched: 'info' } as const

/** The bell, for faults of which no domain notifies by itself. */
async function ring(tx: Db, app: App, kind: 'begun' | keyof typeof levels, troubles: readonly Told[]): Promise<void> {
  const own = troubles.filter(({ key }) => !app.troubles.some(({ prefix, isTold }) => isTold && key.startsWith(prefix)))
  if (!own.length) return
  await app.notify(tx, {
    to: await administrators(tx),
    reason: 'health',
    level: kind !== 'begun' ? levels[kind] : own.some(({ level }) => level === 'error') ? 'error' : 'warning',
    title: subjectOf(kind, own),
    body:
      own.length === 1 ? (kind === 'begun' ? (own[0]?.detail ?? '') : '') : own.map(({ title }) => title).join('\n'),
    link: '/operation',
  })
}
