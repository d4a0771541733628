import type { Website } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { ago, lasting, moment } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useNow } from '../../kit/look/useNow.ts'
import css from './columns.module.css'

type Seen = Pick<Website, 'status' | 'health'>

/** The status that visitors meet: an active website that does not answer is down. */
export const seenState = ({ status, health }: Seen): string =>
  status === 'active' && health?.state === 'down' ? 'down' : status

/** The last observation and its age: "5 min, answers 500", "seen 40 s ago"; empty for a website that is not watched. */
export function seenText({ status, health }: Seen, now: Date): string {
  if (status !== 'active' || !health) return ''
  if (health.state === 'down') {
    const lasts = lasting(now.getTime() - Date.parse(health.since)).replace(/ \d+ s$/, '')
    return `${lasts}${health.reason ? `, ${health.reason}` : ''}`
  }
  if (!health.checkedAt) return 'not seen yet'
  if (health.reason) return `failed ${ago(health.checkedAt, now)}`
  return `seen ${ago(health.checkedAt, now)}`
}

/** Status with its age, for cells of lists. */
export function SeenStatus({ website }: { website: Seen }) {
  const now = useNow(10_000)
  const text = seenText(website, now)
  return (
    <>
      <StatusBadge state={seenState(website)} />
      {text && (
        <Text
          c="dimmed"
          fz="xs"
          truncate
          className={css.line}
          title={`${text}${website.health?.checkedAt ? `; requested ${moment(website.health.checkedAt)}` : ''}`}
        >
          {text}
        </Text>
      )}
    </>
  )
}
