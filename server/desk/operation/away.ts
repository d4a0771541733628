import { hostname } from 'node:os'
import type { App } from '../../kit/app/app.ts'
import { channelsOf } from './alerts/alerts.ts'
import { type Alert, channels } from './alerts/channels.ts'

/** How long the database may be away before people are told, and the pause between attempts to tell them. */
const [PATIENT_MS, AGAIN_MS] = [60_000, 60_000]

interface Absence {
  since: number
  id: string
  /** The channels that have told people. */
  told: Set<'mail' | 'webhook'>
  nextAt: number
}
const absences = new WeakMap<App, Absence>()

/**
 * Tells of an absent database without the database, by every worker for itself: by mail and webhook, because the queue of
 * text messages is in the database.
 */
export async function notifyAway(app: App, now = Date.now()): Promise<void> {
  const absence = absences.get(app)
  if (app.database.isAway()) {
    const known = absence ?? { since: now, id: `innkeeper-away-${now}`, told: new Set(), nextAt: now + PATIENT_MS }
    absences.set(app, known)
    if (now < known.nextAt) return
    known.nextAt = now + AGAIN_MS
    const since = new Date(known.since).toISOString()
    const subject = `Innkeeper: PostgreSQL cannot be reached from ${hostname()}`
    const body = `Since ${since.slice(0, 16).replace('T', ' ')} UTC. Nothing works until it is back: start PostgreSQL, or promote the standby.`
    const trouble = { key: 'database', title: subject, detail: body, level: 'error' as const, link: null, since }
    await notify(app, known, 'begun', { id: known.id, kind: 'begun', subject, body, troubles: [trouble] })
    return
  }
  if (!absence) return
  absences.delete(app)
  if (!absence.told.size) return
  const subject = `Innkeeper: PostgreSQL is reached again from ${hostname()}`
  await notify(app, absence, 'ended', { id: `${absence.id}-over`, kind: 'ended', subject, body: subject, troubles: [] })
}

async function notify(app: App, absence: Absence, kind: 'begun' | 'ended', alert: Alert): Promise<void> {
  for (const channel of channelsOf(app.settings)) {
    if (channel === 'sms' || absence.told.has(channel) !== (kind === 'ended')) continue
    try {
      await channels[channel](app, alert)
      absence.told.add(channel)
    } catch (error) {
      app.log.warn({ err: error, channel }, 'an alert about the absent database could not be sent')
    }
  }
}
