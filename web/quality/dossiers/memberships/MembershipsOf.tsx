import type { Membership } from '@innkeeper/contract/quality/dossiers/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { SkeletonLines } from '../../../kit/frame/Skeletons.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { membershipsApi } from '../api.ts'
import { AddMembership, ChangeMembership } from './MembershipModal.tsx'
import { spanWords } from './spans.ts'

/** Teams and positions of a person, the newest first. */
export function MembershipsOf({ userId, name }: { userId: number; name: string }) {
  const lacking = useReason()
  const reason = lacking(membershipsApi.memberships)
  const found = useQuery({
    ...membershipsApi.memberships.query({ userId: [userId], itemsPerPage: 50 }),
    enabled: !reason,
  })
  const [isAdding, add] = useState(false)
  const [edited, edit] = useState<Membership>()
  return (
    <Section
      title="Teams"
      aside={
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(membershipsApi.createMembership)}
          onClick={() => add(true)}
        >
          Add to a team
        </ActButton>
      }
    >
      {reason && <Text c="dimmed">{reason}</Text>}
      {found.error && <ErrorLine error={found.error} />}
      {found.isLoading && <SkeletonLines />}
      <Stack gap={8}>
        {found.data?.items.map((one) => (
          <Group key={one.id} justify="space-between" wrap="nowrap" gap={12}>
            <div style={{ minWidth: 0 }}>
              <Text truncate>
                {one.team.name}
                {one.position ? `, ${one.position.name}` : ''}
              </Text>
              <Text c="dimmed" fz="xs">
                {spanWords(one)}
                {one.isAdditional ? ', additional' : ''}
              </Text>
            </div>
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(membershipsApi.updateMembership)}
              aria-label={`Change ${one.team.name}`}
              onClick={() => edit(one)}
            >
              Change…
            </ActButton>
          </Group>
        ))}
        {found.data?.total === 0 && <Text c="dimmed">In no team yet.</Text>}
      </Stack>
      {isAdding && <AddMembership of={{ id: userId, name }} close={() => add(false)} />}
      {edited && <ChangeMembership key={edited.id} membership={edited} close={() => edit(undefined)} />}
    </Section>
  )
}
