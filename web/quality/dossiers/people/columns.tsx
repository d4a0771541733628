import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { Group, Text } from '@mantine/core'
import { writeDay } from '../../../kit/form/dates.ts'
import type { Column } from '../../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { ago } from '../../../kit/look/format.ts'

const stateOf = ({ erasedAt, closedAt, isGone, position }: Omit<DossierUser, 'id' | 'name'>): string => {
  if (closedAt) return erasedAt ? `texts erased ${ago(erasedAt)}` : `closed ${ago(closedAt)}`
  return isGone ? 'account deleted' : (position?.name ?? 'no position')
}

/** Columns of staff; both lists link to their own page of a person. */
export const columnsTo = (base: '/dossiers' | '/qc/dossiers'): readonly Column<DossierUser>[] => [
  {
    ...{ key: 'name', title: 'Name', sort: 'name', csv: ({ name }) => name },
    cell: ({ id, name, closedAt, ...dossier }) => (
      <NameCell below={stateOf({ closedAt, ...dossier })}>
        {closedAt ? name : <NameLink to={`${base}/${id}` as string}>{name}</NameLink>}
      </NameCell>
    ),
  },
  {
    ...{ key: 'team', title: 'Team', width: 190, csv: ({ team }) => team?.name ?? null },
    cell: ({ team }) => <Text c={team ? undefined : 'dimmed'}>{team?.name ?? 'none'}</Text>,
  },
  {
    ...{ key: 'manager', title: 'Manager', width: 170, csv: ({ manager }) => manager?.name ?? null },
    cell: ({ manager }) => <Text c={manager ? undefined : 'dimmed'}>{manager?.name ?? 'none'}</Text>,
  },
  {
    ...{ key: 'department', title: 'Department', width: 150, csv: ({ departmentName }) => departmentName },
    cell: ({ departmentName }) => <Text c="dimmed">{departmentName ?? 'none'}</Text>,
  },
  {
    ...{ key: 'startedOn', title: 'Started', width: 120, off: true, csv: ({ startedOn }) => startedOn },
    cell: ({ startedOn }) => <Text c="dimmed">{startedOn ? writeDay(startedOn) : 'unknown'}</Text>,
  },
  {
    ...{ key: 'createdAt', title: 'Opened', sort: 'createdAt', width: 110, csv: ({ createdAt }) => createdAt },
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

export const DossierCard = ({ dossier: { name, team, ...dossier } }: { dossier: DossierUser }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {stateOf({ team, ...dossier })}
      </Text>
    </div>
    <Text c="dimmed" fz="xs" style={{ flex: 'none' }}>
      {team?.name ?? 'no team'}
    </Text>
  </Group>
)
