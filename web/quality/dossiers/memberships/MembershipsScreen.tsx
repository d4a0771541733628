import type { Membership } from '@innkeeper/contract/quality/dossiers/shapes'
import { Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { writeDay } from '../../../kit/form/dates.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { membershipsApi, peopleApi, positionsApi, teamsApi } from '../api.ts'
import { dossierPath } from '../paths.ts'
import { MembershipActs } from './MembershipActs.tsx'
import { AddMembership, ChangeMembership } from './MembershipModal.tsx'
import { spanWords } from './spans.ts'

const columns: readonly Column<Membership>[] = [
  {
    ...{ key: 'user', title: 'Person', csv: ({ user }) => user.name },
    cell: ({ user, position }) => (
      <NameCell below={position?.name ?? 'no position'}>
        <NameLink to={dossierPath(user.id)}>{user.name}</NameLink>
      </NameCell>
    ),
  },
  {
    ...{ key: 'team', title: 'Team', width: 220, csv: ({ team }) => team.name },
    cell: ({ team, isAdditional }) => (
      <Text>
        {team.name}
        {isAdditional && (
          <Text span c="dimmed">
            {' '}
            additional
          </Text>
        )}
      </Text>
    ),
  },
  {
    ...{ key: 'from', title: 'First day', sort: 'from', width: 130, csv: ({ from }) => from },
    cell: ({ from }) => <span className="num">{writeDay(from)}</span>,
  },
  {
    ...{ key: 'to', title: 'Last day', width: 130, csv: ({ to }) => to },
    cell: ({ to }) => (to ? <span className="num">{writeDay(to)}</span> : <Text c="dimmed">open</Text>),
  },
]

export default function MembershipsScreen() {
  const lacking = useReason()
  const list = useList(membershipsApi.memberships, { filters: ['search', 'userId', 'teamId', 'positionId'] })
  const [isAdding, add] = useState(false)
  const [edited, edit] = useState<Membership>()
  const button = (
    <ActButton
      reason={lacking(membershipsApi.createMembership)}
      leftSection={<IconPlus size={15} />}
      onClick={() => add(true)}
    >
      Add to a team
    </ActButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={button}>
      <ListTable
        name="dossier-memberships"
        noun={['membership', 'memberships']}
        list={list}
        columns={columns}
        card={(membership) => (
          <Group justify="space-between" wrap="nowrap">
            <Text truncate>
              {membership.user.name}, {membership.team.name}
            </Text>
            <Text c="dimmed" fz="xs" style={{ flex: 'none' }}>
              {spanWords(membership)}
            </Text>
          </Group>
        )}
        label={({ user, team }) => `${user.name} in ${team.name}`}
        menu={(membership) => <MembershipActs membership={membership} edit={edit} />}
        search={{ key: 'search', placeholder: 'Person' }}
        filters={[
          { key: 'teamId', label: 'Team', options: [], call: teamsApi.teams },
          { key: 'positionId', label: 'Position', options: [], call: positionsApi.positions },
          { key: 'userId', label: 'Person', options: [], call: peopleApi.users },
        ]}
        empty={{
          title: 'Nobody is in a team yet',
          text: 'A membership says from which day to which day somebody is in a team, and in which position.',
          action: button,
          tag: 'ME',
        }}
      />
      {isAdding && <AddMembership close={() => add(false)} />}
      {edited && <ChangeMembership key={edited.id} membership={edited} close={() => edit(undefined)} />}
    </Screen>
  )
}
