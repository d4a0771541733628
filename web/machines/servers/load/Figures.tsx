import type { ServerView } from '@innkeeper/contract/machines/servers/shapes'
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { listed } from '../../../kit/access/reasons.ts'
import { Trio } from '../../../kit/frame/Section.tsx'
import { ago, counted } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { useNow } from '../../../kit/look/useNow.ts'
import { seenHint, wantedServices } from '../words.ts'

/** Desired and observed status of a server, and whether the two agree. */
export function Figures({ server }: { server: ServerView }) {
  const now = useNow()
  const { total, running, missing } = wantedServices(server)
  const { statusSetBy, statusSetAt } = server
  return (
    <Trio>
      <Figure
        label="Wanted"
        hint={statusSetBy && `set by ${statusSetBy}${statusSetAt ? `, ${ago(statusSetAt, now)}` : ''}`}
      >
        <StatusBadge state={server.status} />
      </Figure>
      <Figure label="Seen" hint={seenHint(server, now)}>
        <StatusBadge state={server.observed} />
      </Figure>
      <Figure
        label="Services as wanted"
        hint={
          server.lastSeenAt &&
          missing.length > 0 &&
          `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} not running`
        }
      >
        {total === 0 ? (
          <Text c="dimmed">None wanted</Text>
        ) : (
          <StatusBadge state={stateOf(server, missing)} label={`${running} of ${total}`} />
        )}
      </Figure>
      <Figure label="New websites" hint={counted(server.websites, ['website here', 'websites here'])}>
        <StatusBadge
          state={server.acceptsNew ? 'active' : 'suspended'}
          label={server.acceptsNew ? 'Accepts' : 'Accepts none'}
        />
      </Figure>
    </Trio>
  )
}

/** A server without any heartbeat has unknown services. */
const stateOf = ({ lastSeenAt }: ServerView, missing: string[]) =>
  !lastSeenAt ? 'unknown' : missing.length ? 'degraded' : 'active'

const Figure = ({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) => (
  <div>
    <Text c="dimmed">{label}</Text>
    <Group mt={4} gap={10}>
      {children}
      {hint && (
        <Text c="dimmed" fz="xs" className="num">
          {hint}
        </Text>
      )}
    </Group>
  </div>
)
