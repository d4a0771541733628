import type { Session } from '@innkeeper/contract/access/auth'
import { placeWord } from '@innkeeper/contract/access/device'
import { Button, Group, Stack, Text, Tooltip } from '@mantine/core'
import { ago } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'

interface Props {
  sessions: readonly Session[]
  end: (session: Session) => void
}

/** Sessions, each with a button that ends it. */
export const SessionList = ({ sessions, end }: Props) => (
  <Stack gap={10} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
    {sessions.map((session) => (
      <Group key={session.id} component="li" justify="space-between" wrap="nowrap" gap={12}>
        <div style={{ minWidth: 0 }}>
          <Tooltip label={session.userAgent ?? 'The browser did not name itself'} openDelay={400}>
            <Text truncate>{placeWord(session.userAgent)}</Text>
          </Tooltip>
          <Text c="dimmed" fz="xs" truncate>
            <Mono>{session.ip ?? 'no address'}</Mono>, since {ago(session.createdAt)}, seen {ago(session.lastSeenAt)}
          </Text>
        </div>
        {session.current ? (
          <StatusBadge state="active" label="Here" />
        ) : (
          <Button
            size="xs"
            variant="default"
            style={{ flex: 'none' }}
            aria-label={`Sign out ${placeWord(session.userAgent)}, ${session.ip ?? 'no address'}`}
            onClick={() => end(session)}
          >
            Sign out
          </Button>
        )}
      </Group>
    ))}
  </Stack>
)
