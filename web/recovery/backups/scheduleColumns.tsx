import { keepText } from '@innkeeper/contract/recovery/backups/keep'
import type { Schedule } from '@innkeeper/contract/recovery/backups/shapes'
import { whenText } from '@innkeeper/contract/recovery/backups/when'
import { Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { count } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { When } from '../../kit/look/When.tsx'
import { kindShort, kindWords, stateOfRun } from './words.ts'

export const stateOf = ({ enabled, rests }: Schedule) => (!enabled ? 'off' : rests ? 'suspended' : 'on')
export const targetOf = ({ domain, serverName }: Schedule) => domain ?? `every website of ${serverName}`

export const columns: readonly Column<Schedule>[] = [
  {
    key: 'name',
    title: 'Schedule',
    sort: 'name',
    csv: ({ name }) => name,
    cell: (one) => <NameCell below={targetOf(one)}>{one.name}</NameCell>,
  },
  {
    key: 'status',
    title: 'Status',
    width: 84,
    csv: stateOf,
    cell: (one) => (
      <span title={one.rests ?? undefined}>
        <StatusBadge state={stateOf(one)} label={one.rests ? 'Rests' : undefined} />
      </span>
    ),
  },
  { key: 'when', title: 'Runs', width: 166, csv: ({ when }) => whenText(when), cell: ({ when }) => whenText(when) },
  {
    key: 'kind',
    title: 'Contents',
    width: 96,
    csv: ({ kind }) => kind,
    cell: ({ kind }) => <span title={kindWords[kind]}>{kindShort[kind]}</span>,
  },
  {
    key: 'keep',
    title: 'Keeps',
    width: 210,
    off: true,
    csv: ({ keep }) => keepText(keep),
    cell: ({ keep }) => keepText(keep),
  },
  {
    key: 'websites',
    title: 'Websites',
    width: 84,
    align: 'right',
    csv: ({ websites }) => websites,
    cell: ({ websites }) => <span className="num">{count(websites)}</span>,
  },
  {
    key: 'server',
    title: 'Kept on',
    width: 130,
    csv: ({ backupServerName }) => backupServerName,
    cell: ({ backupServerName }) => <Mono>{backupServerName}</Mono>,
  },
  {
    key: 'last',
    title: 'Last run',
    width: 104,
    csv: ({ lastAt }) => lastAt ?? '',
    cell: ({ lastAt, lastStatus }) =>
      lastStatus !== null && lastStatus > 2 ? (
        <StatusBadge state={stateOfRun(lastStatus)} />
      ) : lastAt ? (
        <When at={lastAt} />
      ) : (
        <Text c="dimmed">never</Text>
      ),
  },
  {
    key: 'next',
    title: 'Next run',
    width: 118,
    csv: ({ nextAt }) => nextAt ?? '',
    cell: ({ nextAt }) => (nextAt ? <When at={nextAt} /> : '–'),
  },
]
