import type { LeaveApprovers } from '@innkeeper/contract/planning/leaves/calls'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { leavesApi } from '../api.ts'
import css from '../leaves.module.css'
import { ApproversModal } from './ApproversModal.tsx'
import { nameOf } from './nameOf.ts'

/** Default approvers of leaves, and approvers of single departments. */
export default function ApproversScreen() {
  const query = useQuery(leavesApi.approvers.query())
  const lacking = useReason()(leavesApi.setApprovers)
  const [edited, edit] = useState<LeaveApprovers>()
  return (
    <Screen
      query={query}
      meta={
        <Text>Any one of them decides. A substitute is notified while the approver is away or requests leave.</Text>
      }
    >
      <Stack gap={16} maw={820}>
        {query.data?.items.map((list) => (
          <Section
            key={list.departmentId ?? 0}
            title={nameOf(list)}
            hint={list.inherited ? 'as by default' : undefined}
            pad={false}
            aside={
              <ActButton
                size="compact-sm"
                variant="default"
                reason={lacking}
                aria-label={`Change approvers of ${nameOf(list)}`}
                onClick={() => edit(list)}
              >
                Change…
              </ActButton>
            }
          >
            <List list={list} />
          </Section>
        ))}
      </Stack>
      {edited && <ApproversModal key={edited.departmentId} list={edited} close={() => edit(undefined)} />}
    </Screen>
  )
}

function List({ list }: { list: LeaveApprovers }) {
  if (!list.approvers.length)
    return (
      <Text c="dimmed" p={14}>
        Nobody is named: whoever may review leaves decides.
      </Text>
    )
  return (
    <ul className={css.cover}>
      {list.approvers.map(({ userId, name, substituteName, away, mayReview }) => (
        <li key={userId} className={css.approver}>
          <Text fw={450} c={list.inherited ? 'dimmed' : undefined}>
            {name}
          </Text>
          <Text c="dimmed">{substituteName ? `substitute: ${substituteName}` : 'no substitute'}</Text>
          {mayReview ? (
            <StatusBadge state={away ? 'paused' : 'active'} label={away ? 'Away today' : 'There'} />
          ) : (
            <StatusBadge state="degraded" label="May not review leaves" />
          )}
        </li>
      ))}
    </ul>
  )
}
