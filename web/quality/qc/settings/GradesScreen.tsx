import type { ScoreGrade } from '@innkeeper/contract/quality/qc/settings'
import { Group, Text } from '@mantine/core'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { count } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcSettingsApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { TagChip } from '../TagChip.tsx'
import { ScoreLinks } from './ScoreLinks.tsx'

const inUse = ({ isActive }: { isActive: boolean }) => (
  <StatusBadge state={isActive ? 'active' : 'skipped'} label={isActive ? 'In use' : 'Off'} />
)

const columns: readonly Column<ScoreGrade>[] = [
  {
    key: 'name',
    title: 'Grade',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, colour }) => (
      <RowName>
        <TagChip name={name} colour={colour} />
      </RowName>
    ),
  },
  { key: 'state', title: 'Status', width: 110, csv: ({ isActive }) => (isActive ? 'in use' : 'off'), cell: inUse },
  {
    key: 'value',
    title: 'Value',
    width: 90,
    align: 'right',
    csv: ({ value }) => value,
    cell: ({ value }) => <span className="num">{value}</span>,
  },
  {
    key: 'comment',
    title: 'Comment',
    width: 120,
    csv: ({ needsComment }) => (needsComment ? 'required' : ''),
    cell: ({ needsComment }) => <Text c="dimmed">{needsComment ? 'Required' : 'Optional'}</Text>,
  },
  {
    key: 'types',
    title: 'Score types',
    width: 120,
    align: 'right',
    csv: ({ types }) => types,
    cell: ({ types }) => <span className="num">{count(types)}</span>,
  },
]

export default function GradesScreen() {
  const paths = usePaths()
  const list = useList(qcSettingsApi.grades, { filters: ['search', 'isActive'] })
  const create = (
    <CreateButton call={qcSettingsApi.createGrade} to={paths.createGrade}>
      Create grade
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ScoreLinks at="grades" />
      <ListTable
        name="qc-grades"
        noun={['grade', 'grades']}
        list={list}
        columns={columns}
        card={(grade) => (
          <Group justify="space-between" wrap="nowrap">
            <TagChip name={grade.name} colour={grade.colour} />
            <Text c="dimmed" fz="xs" className="num">
              {grade.value} of 100{grade.isActive ? '' : ', off'}
            </Text>
          </Group>
        )}
        label={({ name }) => name}
        open={({ id }) => rowPath(paths.grade, id)}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No grade yet',
          text: 'A grade is one step of a scale, such as Poor with 0 and Great with 100. Score types offer grades.',
          action: create,
          tag: 'GR',
        }}
      />
    </Screen>
  )
}
