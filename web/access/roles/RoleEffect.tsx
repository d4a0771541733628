import { Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { rolesApi } from './api.ts'
import { EffectLines } from './EffectLines.tsx'

/** The permissions that a new role takes from these people and gives them, shown before saving. */
export function RoleEffect({ users, role }: { users: number[]; role: number | null }) {
  const reason = useReason()(rolesApi.previewAssign)
  const { data, error, isPending } = useQuery({
    ...rolesApi.previewAssign.query({ users, role }),
    enabled: !reason,
    placeholderData: keepPreviousData,
  })
  return (
    <Section title="What this changes" hint="when it is saved">
      {reason && <Text c="dimmed">{reason}</Text>}
      {!reason && isPending && <Skeleton h={34} />}
      {error && <Text c="error">{error.message}</Text>}
      {data && data.gives.length + data.takes.length === 0 && <Text c="dimmed">No permission changes.</Text>}
      {data && <EffectLines effect={data} />}
    </Section>
  )
}
