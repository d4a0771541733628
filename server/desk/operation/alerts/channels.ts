import { hostname } from 'node:os'
import type { AlertChannel } from '@innkeeper/contract/desk/operation'
import { countSegments } from '@innkeeper/contract/desk/sms/segments'
import { tidy } from '@innkeeper/contract/desk/sms/text'
import { sql } from 'drizzle-orm'
import { createTransport } from 'nodemailer'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { operatorsReach } from '../../../kit/outgoing/reach.ts'
import { connectTo } from '../../../kit/outgoing/send.ts'
import { sendSigned } from '../../../kit/outgoing/signed.ts'
import { expand } from '../../sms/sending/expand.ts'
import { readSettings } from '../../sms/settings.ts'
import type { AlertKind, Told } from '../tables.ts'

export interface Alert {
  /** The same in every attempt. */
  id: string
  kind: AlertKind
  subject: string
  body: string
  troubles: readonly Told[]
}
/** Hands an alert over. Rejects with the reason, which people read. */
type Send = (app: App, alert: Alert) => Promise<void>

const PATIENCE_MS = 20_000
const SMS_SEGMENTS = 2

async function mail(app: App, { id, subject, body }: Alert): Promise<void> {
  const { mail: settings } = app.settings.alerts
  if (!settings) return
  const relay = new URL(settings.smtp)
  const secure = relay.protocol === 'smtps:'
  const host = relay.hostname.replace(/^\[|\]$/g, '')
  const port = Number(relay.port) || (secure ? 465 : 587)
  const user = decodeURIComponent(relay.username)
  const isHere = /^(localhost|127\.|::1$)/.test(host)
  const socket = connectTo(operatorsReach(app), { host, port })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject)
      socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the relay is silent')))
    })
    const transport = createTransport({
      ...{ host, port, secure, connection: socket },
      // a password never travels in the clear; a relay of this machine needs no certificate
      ...{ requireTLS: user !== '' && !isHere, ignoreTLS: !secure && isHere },
      ...(user && { auth: { user, pass: decodeURIComponent(relay.password) } }),
      ...{ greetingTimeout: PATIENCE_MS, socketTimeout: PATIENCE_MS, disableFileAccess: true, disableUrlAccess: true },
    })
    await transport.sendMail({
      ...{ from: { name: 'Innkeeper', address: settings.from }, to: [...settings.to], subject, text: body },
      messageId: `<${id}@${settings.from.split('@')[1]}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  } finally {
    socket.destroy()
  }
}

/** Gives the alert to the gateway of SMS, whose queue repeats it. */
async function sms(app: App, { id, subject }: Alert): Promise<void> {
  const { sms: settings } = app.settings.alerts
  if (!settings) return
  await app.db.transaction(async (tx) => {
    const gateway = await readSettings(tx)
    if (gateway.gateway === 'none') throw new Error('no gateway is set up: SMS → Settings')
    const body = shortened(tidy(subject))
    const targets = { numbers: [...settings.to], users: [], departments: [], shifts: [] }
    const [made] = await rows<{ id: number }>(
      tx,
      // nobody has to answer, so that nobody else is asked
      sql`insert into sms_batches (kind, body, "values", targets, urgent, alert_key, acknowledged_at)
        values ('alert', ${body}, '{}', ${JSON.stringify(targets)}::jsonb, true, ${id}, now())
        on conflict do nothing returning sms_batch_id as id`,
    )
    if (!made) return // an attempt before has done it
    const batch = { id: made.id, kind: 'alert' as const, body, values: {}, urgent: true, createdBy: null, targets }
    const reached = await expand(tx, gateway, batch, new Date())
    if (reached.every(({ skipped }) => skipped !== null))
      throw new Error(reached[0]?.skipped ?? 'the gateway takes none of the numbers')
  })
}

function shortened(text: string): string {
  let short = text
  while (countSegments(short).segments > SMS_SEGMENTS) short = `${[...short].slice(0, -10).join('')}…`
  return short
}

async function webhook(app: App, { id, kind, subject, troubles }: Alert): Promise<void> {
  const { webhook: settings } = app.settings.alerts
  if (!settings) return
  const data = { title: subject, from: app.settings.publicHost ?? hostname(), troubles }
  const { status } = await sendSigned(operatorsReach(app), {
    ...{ id, url: new URL(settings.url), secrets: [settings.secret], userAgent: 'Innkeeper-Alerts/1' },
    ...{ patienceMs: PATIENCE_MS, mostBytes: 2000 },
    // a receiver closes the incident that it opened by this type; the title says whether the fault is over
    body: JSON.stringify({
      type: `alert.${kind === 'unwatched' ? 'ended' : kind}`,
      timestamp: new Date().toISOString(),
      data,
    }),
  })
  if (status < 200 || status >= 300) throw new Error(`the receiver answered ${status}`)
}

export const channels: Record<AlertChannel, Send> = { mail, sms, webhook }
