import type { ScoreType } from '@innkeeper/contract/quality/qc/settings'
import { Group, Text } from '@mantine/core'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { counted } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcSettingsApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { usedForNames } from '../words.ts'
import { ScoreLinks } from './ScoreLinks.tsx'

const columns: readonly Column<ScoreType>[] = [
  {
    key: 'name',
    title: 'Score type',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, description }) => (
      <NameCell below={description || 'no description'}>
        <RowName>{name}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'Status',
    width: 110,
    csv: ({ isActive }) => (isActive ? 'in use' : 'off'),
    cell: ({ isActive }) => <StatusBadge state={isActive ? 'active' : 'skipped'} label={isActive ? 'In use' : 'Off'} />,
  },
  {
    key: 'usedFor',
    title: 'For',
    width: 150,
    csv: ({ usedFor }) => usedFor,
    cell: ({ usedFor }) => <Text c="dimmed">{usedForNames[usedFor]}</Text>,
  },
  {
    key: 'critical',
    title: 'Critical',
    width: 100,
    csv: ({ isCritical }) => (isCritical ? 'yes' : ''),
    cell: ({ isCritical }) => (isCritical ? <Text fw={500}>Critical</Text> : <Text c="dimmed">No</Text>),
  },
  {
    key: 'grades',
    title: 'Grades',
    width: 90,
    align: 'right',
    csv: ({ gradeIds }) => gradeIds.length,
    cell: ({ gradeIds }) => <span className="num">{gradeIds.length}</span>,
  },
  {
    key: 'weight',
    title: 'Weight',
    width: 90,
    align: 'right',
    csv: ({ weight }) => weight,
    cell: ({ weight }) => <span className="num">{weight}</span>,
  },
]

export default function TypesScreen() {
  const paths = usePaths()
  const list = useList(qcSettingsApi.types, { filters: ['search', 'isActive'] })
  const create = (
    <CreateButton call={qcSettingsApi.createType} to={paths.createType}>
      Create score type
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ScoreLinks at="types" />
      <ListTable
        name="qc-types"
        noun={['score type', 'score types']}
        list={list}
        columns={columns}
        card={(type) => (
          <Group justify="space-between" wrap="nowrap">
            <Text fw={450} truncate>
              {type.name}
            </Text>
            <Text c="dimmed" fz="xs" className="num" style={{ flex: 'none' }}>
              weight {type.weight}, {counted(type.gradeIds.length, ['grade', 'grades'])}
            </Text>
          </Group>
        )}
        label={({ name }) => name}
        open={({ id }) => rowPath(paths.type, id)}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No score type yet',
          text: 'A score type is one question of a review, such as Solution, with a weight and the grades that answer it. Create grades first.',
          action: create,
          tag: 'ST',
        }}
      />
    </Screen>
  )
}
