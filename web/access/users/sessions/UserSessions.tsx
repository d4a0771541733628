import type { User } from '@innkeeper/contract/access/users/shapes'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { endSession } from '../acts.ts'
import { usersApi } from '../api.ts'
import { SessionList } from './SessionList.tsx'

/** This person's sessions, with the permission to end them. */
export function UserSessions({ user }: { user: User }) {
  const reason = useReason()(usersApi.sessions)
  const { data, error, isPending } = useQuery({ ...usersApi.sessions.query({ id: user.id }), enabled: !reason })
  return (
    <Section title="Signed in" hint={data && `${data.total || 'nowhere'}`}>
      {reason && <Text c="dimmed">{reason}</Text>}
      {!reason && isPending && <Skeleton h={34} />}
      {error && <Text c="error">{error.message}</Text>}
      {data?.total === 0 && <Text c="dimmed">Nowhere just now.</Text>}
      {data && data.total > 0 && <SessionList sessions={data.items} end={({ id }) => void endSession(user, id)} />}
    </Section>
  )
}
