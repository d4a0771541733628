import type { Team } from '@innkeeper/contract/quality/dossiers/shapes'
import { Group, Menu, Text } from '@mantine/core'
import { IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { LinkButton, LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { count, counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { teamsApi } from '../api.ts'
import { teamPath } from '../paths.ts'
import { RemoveModal } from '../RemoveModal.tsx'

const columns: readonly Column<Team>[] = [
  {
    ...{ key: 'name', title: 'Team', sort: 'name', csv: ({ name }) => name },
    cell: ({ id, name, parentName }) => (
      <NameCell below={parentName ? `below ${parentName}` : 'at the top'}>
        <NameLink to={teamPath(id)}>{name}</NameLink>
      </NameCell>
    ),
  },
  {
    ...{ key: 'manager', title: 'Manager', width: 190, csv: ({ manager }) => manager?.name ?? null },
    cell: ({ manager }) => <Text c={manager ? undefined : 'dimmed'}>{manager?.name ?? 'none'}</Text>,
  },
  {
    ...{ key: 'department', title: 'Department', width: 170, csv: ({ departmentName }) => departmentName },
    cell: ({ departmentName }) => <Text c="dimmed">{departmentName ?? 'none'}</Text>,
  },
  {
    ...{ key: 'people', title: 'People', width: 90, align: 'right', csv: ({ people }) => people },
    cell: ({ id, people }) => (
      <LinkTo to="/dossiers" search={{ teamId: String(id) }} c="inherit" className="num">
        {count(people)}
      </LinkTo>
    ),
  },
]

export default function TeamsScreen() {
  const lacking = useReason()
  const navigate = useNavigate()
  const list = useList(teamsApi.teams, { filters: ['search'] })
  const [removed, remove] = useState<Team>()
  const create = (
    <CreateButton call={teamsApi.createTeam} to="/dossiers/teams/create">
      Create team
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          <LinkButton to="/dossiers/chart" variant="default">
            Chart
          </LinkButton>
          {create}
        </>
      }
    >
      <ListTable
        name="dossier-teams"
        noun={['team', 'teams']}
        list={list}
        columns={columns}
        card={({ name, people, manager }) => (
          <Group justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text truncate>{name}</Text>
              <Text c="dimmed" fz="xs" truncate>
                {manager?.name ?? 'no manager'}
              </Text>
            </div>
            <Text c="dimmed" fz="xs" style={{ flex: 'none' }}>
              {counted(people, ['person', 'people'])}
            </Text>
          </Group>
        )}
        label={({ name }) => name}
        open={({ id }) => `/dossiers/teams/${id}`}
        menu={(team) => (
          <>
            <MenuAction
              label="Change"
              icon={<IconPencil size={15} />}
              reason={lacking(teamsApi.updateTeam)}
              onClick={() => void navigate({ to: `/dossiers/teams/${team.id}` })}
            />
            <MenuAction
              label="Members"
              icon={<IconUsers size={15} />}
              reason={lacking('dossier:user:read')}
              onClick={() => void navigate({ to: '/dossiers', search: { teamId: String(team.id) } })}
            />
            <Menu.Divider />
            <MenuAction
              label="Delete…"
              danger
              icon={<IconTrash size={15} />}
              reason={lacking(teamsApi.removeTeam)}
              onClick={() => remove(team)}
            />
          </>
        )}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No team yet',
          text: 'A team has a manager, who reads what is written about its people for managers.',
          action: create,
          tag: 'TE',
        }}
      />
      {removed && (
        <RemoveModal
          row={removed}
          noun="team"
          moves="Its members and the teams below move to the replacement"
          list={teamsApi.teams}
          remove={teamsApi.removeTeam}
          close={() => remove(undefined)}
        />
      )}
    </Screen>
  )
}
