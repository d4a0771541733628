import type { Draw } from '@innkeeper/contract/quality/qc/settings'
import { Text } from '@mantine/core'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { rangeText } from '../../../kit/calendar/days.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ago, count } from '../../../kit/look/format.ts'
import { qcSettingsApi } from '../api.ts'

const dateOf = (day: string) => rangeText(day, day)

const columns: readonly Column<Draw>[] = [
  {
    key: 'agent',
    title: 'Agent',
    csv: ({ agent }) => agent.name,
    cell: ({ agent, kind }) => (
      <NameCell below={kind === 'chat' ? 'Chats' : 'Tickets'}>
        <RowName>{agent.name}</RowName>
      </NameCell>
    ),
  },
  { key: 'day', title: 'Day', width: 140, csv: ({ day }) => day, cell: ({ day }) => dateOf(day) },
  {
    key: 'pool',
    title: 'Drawn from',
    width: 130,
    align: 'right',
    csv: ({ poolIds }) => poolIds.length,
    cell: ({ poolIds }) => <span className="num">{count(poolIds.length)}</span>,
  },
  {
    key: 'drawn',
    title: 'Drawn',
    width: 110,
    align: 'right',
    csv: ({ drawnIds }) => drawnIds.length,
    cell: ({ drawnIds, due }) => (
      <span className="num">{drawnIds.length < due ? `${count(drawnIds.length)} of ${count(due)}` : count(due)}</span>
    ),
  },
  {
    key: 'quota',
    title: 'Quota of the period',
    width: 170,
    align: 'right',
    csv: ({ quota }) => quota,
    cell: ({ quota, periodStart }) => (
      <NameCell below={`since ${dateOf(periodStart)}`}>
        <span className="num">{count(quota)}</span>
      </NameCell>
    ),
  },
  {
    key: 'drawnAt',
    title: 'When',
    width: 130,
    csv: ({ drawnAt }) => drawnAt,
    cell: ({ drawnAt }) => <Text c="dimmed">{ago(drawnAt)}</Text>,
  },
]

/** What each draw took from which conversations. */
export default function DrawsScreen() {
  const lacking = useReason()
  const list = useList(qcSettingsApi.draws, { filters: ['kind', 'agent'] })
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="qc-draws"
        noun={['draw', 'draws']}
        list={list}
        columns={columns}
        card={({ agent, day, drawnIds, poolIds }) => (
          <>
            <Text fw={450}>{agent.name}</Text>
            <Text c="dimmed" fz="xs">
              {dateOf(day)}: {count(drawnIds.length)} of {count(poolIds.length)}
            </Text>
          </>
        )}
        label={({ agent, day }) => `${agent.name}, ${dateOf(day)}`}
        filters={[
          {
            key: 'kind',
            label: 'Queue',
            single: true,
            options: [
              { value: 'chat', label: 'Chats' },
              { value: 'ticket', label: 'Tickets' },
            ],
          },
          ...(lacking(usersApi.list) ? [] : [{ key: 'agent', label: 'Agent', options: [], call: usersApi.list }]),
        ]}
        empty={{
          title: 'No draw yet',
          text: 'A queue with samples draws after each day has ended.',
          tag: 'DR',
        }}
      />
    </Screen>
  )
}
