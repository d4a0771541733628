import type { CronFilter } from '@innkeeper/contract/quality/qc/settings'
import { Menu, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ago, count, counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcTicketsApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'

const columns: readonly Column<CronFilter>[] = [
  {
    key: 'name',
    title: 'Cron filter',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, value }) => (
      <NameCell
        below={
          <Text span ff="monospace" fz="xs" inherit>
            {value}
          </Text>
        }
      >
        <RowName>{name}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'Status',
    width: 110,
    csv: ({ isActive }) => (isActive ? 'in use' : 'off'),
    cell: ({ isActive, runs: [last] }) =>
      last?.error ? (
        <StatusBadge state="failed" />
      ) : (
        <StatusBadge state={isActive ? 'active' : 'skipped'} label={isActive ? 'In use' : 'Off'} />
      ),
  },
  {
    key: 'wouldMatch',
    title: 'Matches now',
    width: 120,
    align: 'right',
    csv: ({ wouldMatch }) => wouldMatch,
    cell: ({ wouldMatch }) => <span className="num">{count(wouldMatch)}</span>,
  },
  {
    key: 'lastRun',
    title: 'Last run',
    width: 190,
    csv: ({ lastRunAt }) => lastRunAt ?? '',
    cell: ({ lastRunAt, runs: [last] }) => (
      <Text c="dimmed">{lastRunAt ? `${ago(lastRunAt)}, ${count(last?.queued ?? 0)} queued` : 'not yet'}</Text>
    ),
  },
]

export default function CronScreen() {
  const paths = usePaths()
  const list = useList(qcTicketsApi.cronFilters, { filters: ['search'] })
  const create = (
    <CreateButton call={qcTicketsApi.createCronFilter} to={paths.createCron}>
      Create cron filter
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="qc-cron"
        noun={['cron filter', 'cron filters']}
        list={list}
        columns={columns}
        card={({ name, value, wouldMatch }) => (
          <>
            <Text fw={450}>{name}</Text>
            <Text c="dimmed" fz="xs" truncate>
              {value}, matches {counted(wouldMatch, ['ticket', 'tickets'])}
            </Text>
          </>
        )}
        label={({ name }) => name}
        open={({ id }) => rowPath(paths.cronFilter, id)}
        menu={(filter) => <CronActs filter={filter} />}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No cron filter yet',
          text: 'A cron filter queues tickets for review by itself, for instance all with a rating of 2 or less.',
          action: create,
          tag: 'CF',
        }}
      />
    </Screen>
  )
}

function CronActs({ filter: { id, name, version } }: { filter: CronFilter }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const paths = usePaths()
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete cron filter',
      goes: [`The cron filter ${name}`],
      stays: 'Tickets that it queued stay in the queue.',
    })
    if (!sure) return
    const gone = await succeeds(() => qcTicketsApi.removeCronFilter({ id, version }), ['qc'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Change"
        icon={<IconPencil size={15} />}
        reason={lacking(qcTicketsApi.updateCronFilter)}
        onClick={() => void navigate({ to: rowPath(paths.cronFilter, id) })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(qcTicketsApi.removeCronFilter)}
        onClick={() => void remove()}
      />
    </>
  )
}
