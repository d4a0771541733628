import type { Calibration } from '@innkeeper/contract/quality/qc/calibrations'
import { Text } from '@mantine/core'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ago } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcCalibrationsApi } from '../api.ts'
import { Due } from '../cases/Due.tsx'

const submitted = ({ participants }: Calibration) => participants.filter(({ submittedAt }) => submittedAt).length
const stateOf = (row: Calibration) =>
  row.closedAt || submitted(row) === row.participants.length
    ? { state: 'done', label: 'Revealed' }
    : { state: 'begun', label: `${submitted(row)} of ${row.participants.length} submitted` }

const dated = (row: Calibration) => ({ dueAt: row.dueAt, status: stateOf(row).state === 'done' ? 'closed' : 'open' })

const columns: readonly Column<Calibration>[] = [
  {
    key: 'title',
    title: 'Calibration',
    csv: ({ title }) => title,
    cell: ({ title, kind, externalId, subject }) => (
      <NameCell below={`${kind} ${externalId}, ${subject}`}>
        <RowName>{title}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: 170,
    csv: (row) => stateOf(row).label,
    cell: (row) => <StatusBadge {...stateOf(row)} />,
  },
  {
    key: 'by',
    title: 'Held by',
    width: 170,
    csv: ({ createdBy }) => createdBy.name,
    cell: ({ createdBy }) => createdBy.name,
  },
  {
    key: 'due',
    title: 'Due',
    width: 120,
    csv: ({ dueAt }) => dueAt ?? '',
    cell: (row) => <Due of={dated(row)} />,
  },
  {
    key: 'createdAt',
    title: 'Began',
    sort: 'createdAt',
    width: 130,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

/** Sessions in which several people review one conversation blind. */
export default function CalibrationsScreen() {
  const list = useList(qcCalibrationsApi.calibrations, { filters: ['open'] })
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="qc-calibrations"
        noun={['calibration', 'calibrations']}
        list={list}
        columns={columns}
        card={(row) => (
          <>
            <Text fw={450} truncate>
              {row.title}
            </Text>
            <Text c="dimmed" fz="xs">
              {stateOf(row).label}, {ago(row.createdAt)}
            </Text>
          </>
        )}
        label={({ title }) => title}
        open={({ id }) => `/qc-v2/calibrations/${id}`}
        filters={[
          {
            key: 'open',
            label: 'State',
            single: true,
            options: [
              { value: 'true', label: 'Open' },
              { value: 'false', label: 'Closed' },
            ],
          },
        ]}
        empty={{
          title: 'No calibration yet',
          text: 'A manager starts a calibration from the menu of a chat or ticket: several people review it blind and compare their scores.',
          tag: 'CA',
        }}
      />
    </Screen>
  )
}
