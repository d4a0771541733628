import type { DatabaseUser } from '@innkeeper/contract/hosting/databases/calls'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { Password } from './Password.tsx'
import { hostWords, privilegeWords } from './words.ts'

/** A database account. Its password is shown on request only. */
export const Account = ({ user }: { user: DatabaseUser }) => (
  <>
    <Group gap={8} mb={6}>
      <LinkTo to="/databases/users/edit/$userId" params={{ userId: String(user.id) }}>
        <Mono>{user.username}</Mono>
      </LinkTo>
      {user.host !== 'localhost' && <Text c="dimmed">from {hostWords(user.host)}</Text>}
      {user.privileges !== 'all' && <Text c="dimmed">{privilegeWords[user.privileges]}</Text>}
      {user.locked && <Text c="dimmed">locked</Text>}
    </Group>
    <Password user={user} size="xs" />
  </>
)
