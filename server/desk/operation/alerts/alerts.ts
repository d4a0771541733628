import { type AlertChannel, alertChannels } from '@innkeeper/contract/desk/operation'
import type { Settings } from '../../../kit/app/settings.ts'
import type { Db } from '../../../kit/db/db.ts'
import { type AlertKind, ownAlerts, type Told } from '../tables.ts'

/** Faults that a mail names; the page has all. */
const NAMED = 50

export const channelsOf = ({ alerts }: Pick<Settings, 'alerts'>): AlertChannel[] =>
  alertChannels.filter((channel) => alerts[channel])

const words = { begun: '', ended: 'Over: ', unwatched: 'No longer watched: ', test: 'Test: ' }

/** One line for all faults that begin, or end, together. */
export function subjectOf(kind: AlertKind, troubles: readonly Told[]): string {
  if (kind === 'test') return 'This is a test alert'
  const [first, ...others] = troubles
  if (!first) return ''
  return (
    words[kind] + (others.length ? `${troubles.length} faults of Innkeeper: ${first.title}, and others` : first.title)
  )
}

function bodyOf(kind: AlertKind, troubles: readonly Told[], { publicHost, https, port }: Settings): string {
  const base = publicHost && `${https && port !== 443 ? `https://${publicHost}:${port}` : `https://${publicHost}`}`
  const lines = troubles
    .slice(0, NAMED)
    .map(({ title, detail, since, link }) =>
      [
        `${words[kind]}${title}`,
        ...(kind === 'begun' && detail ? [detail] : []),
        `Since ${since.slice(0, 16).replace('T', ' ')} UTC`,
        ...(base && link ? [base + link] : []),
      ].join('\n'),
    )
  const more = troubles.length - NAMED
  if (kind === 'test') lines.push('Somebody tries whether alerts of Innkeeper arrive. Nothing is wrong.')
  return [...lines, ...(more > 0 ? [`and ${more} more`] : []), ...(base ? [`${base}/operation`] : [])].join('\n\n')
}

/** Has an alert sent by every channel of the settings, after the transaction. Returns the channels. */
export async function ask(
  tx: Db,
  settings: Settings,
  kind: AlertKind,
  troubles: readonly Told[],
): Promise<AlertChannel[]> {
  const channels = channelsOf(settings)
  const subject = `Innkeeper: ${subjectOf(kind, troubles)}`.slice(0, 200)
  const alert = { kind, subject, body: bodyOf(kind, troubles, settings), troubles: [...troubles] }
  const nextAt = new Date().toISOString()
  if (channels.length) await tx.insert(ownAlerts).values(channels.map((channel) => ({ ...alert, channel, nextAt })))
  return channels
}
