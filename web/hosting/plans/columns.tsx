import type { Plan } from '@innkeeper/contract/hosting/plans'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { count, counted } from '../../kit/look/format.ts'
import { inWords, measuredOn, size } from './limits.ts'

const figure = (text: string) => <span className="num">{text}</span>
/** A column with a plain count: `websites`, `databases` … */
const counts = (
  key: 'websites' | 'databases' | 'mailboxes' | 'ftpUsers' | 'mailTogether',
  title: string,
): Column<Plan> => ({
  key,
  title,
  width: 104,
  align: 'right',
  csv: (plan) => plan[key],
  cell: (plan) => figure(count(plan[key])),
})

export const columns: readonly Column<Plan>[] = [
  {
    key: 'name',
    title: 'Plan',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name }) => <Text fw={500}>{name}</Text>,
  },
  {
    key: 'diskMb',
    title: 'Disk',
    sort: 'diskMb',
    width: 112,
    align: 'right',
    csv: ({ diskMb }) => diskMb,
    cell: (plan) => (
      <>
        {figure(size(plan.diskMb))}
        {plan.diskMeasured > 0 && (
          <Text c="dimmed" fz="xs" truncate title={`Disk ${measuredOn(plan)}: they have no quotas`}>
            measured on {count(plan.diskMeasured)}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'memoryMb',
    title: 'Memory',
    spare: true,
    sort: 'memoryMb',
    width: 96,
    align: 'right',
    csv: ({ memoryMb }) => memoryMb,
    cell: ({ memoryMb }) => figure(size(memoryMb)),
  },
  {
    key: 'cpuPercent',
    title: 'CPU',
    spare: true,
    width: 76,
    align: 'right',
    csv: ({ cpuPercent }) => cpuPercent,
    cell: ({ cpuPercent }) => figure(`${cpuPercent}%`),
  },
  {
    key: 'tasks',
    title: 'Tasks',
    spare: true,
    width: 76,
    align: 'right',
    csv: ({ tasks }) => tasks,
    cell: ({ tasks }) => figure(count(tasks)),
  },
  counts('websites', 'Websites'),
  counts('databases', 'Databases'),
  counts('mailboxes', 'Mailboxes'),
  counts('ftpUsers', 'FTP users'),
  counts('mailTogether', 'Mail an hour'),
  {
    key: 'php',
    title: 'PHP',
    width: 110,
    csv: ({ phpVersions }) => phpVersions.join(' '),
    cell: ({ phpVersions }) => figure(phpVersions.join(', ')),
  },
  {
    key: 'systemUsers',
    title: 'System users',
    width: 124,
    align: 'right',
    csv: ({ systemUsers }) => systemUsers,
    cell: ({ id, systemUsers }) =>
      systemUsers ? (
        <LinkTo to="/system-users/list" search={{ plan: String(id) }} className="num">
          {count(systemUsers)}
        </LinkTo>
      ) : (
        figure('0')
      ),
  },
]

export const PlanCard = ({ plan }: { plan: Plan }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={500} truncate>
        {plan.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {inWords(plan)}
        {plan.diskMeasured > 0 && `, disk ${measuredOn(plan)}`}
      </Text>
    </div>
    <Text c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }}>
      {counted(plan.systemUsers, ['system user', 'system users'])}
    </Text>
  </Group>
)
