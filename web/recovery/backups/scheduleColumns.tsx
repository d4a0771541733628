import { keepText } from '@innkeeper/contract/recovery/backups/keep'
import type { Schedule } from '@innkeeper/contract/recovery/backups/shapes'
import { whenText } from '@innkeeper/contract/recovery/backups/when'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { count } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { When } from '../../kit/look/When.tsx'
import { kindWords, stateOfRun } from './words.ts'

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
    width: 110,
    csv: stateOf,
    cell: (one) => (
      <span title={one.rests ?? undefined}>
        <StatusBadge state={stateOf(one)} label={one.rests ? 'Rests' : undefined} />
      </span>
    ),
  },
  { key: 'when', title: 'Runs', width: 200, csv: ({ when }) => whenText(when), cell: ({ when }) => whenText(when) },
  { key: 'kind', title: 'Contents', width: 150, csv: ({ kind }) => kind, cell: ({ kind }) => kindWords[kind] },
  { key: 'keep', title: 'Keeps', width: 210, csv: ({ keep }) => keepText(keep), cell: ({ keep }) => keepText(keep) },
  {
    key: 'websites',
    title: 'Websites',
    width: 90,
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
    width: 130,
    csv: ({ lastAt }) => lastAt ?? '',
    cell: ({ lastAt, lastStatus }) =>
      lastStatus !== null && lastStatus > 2 ? (
        <StatusBadge state={stateOfRun(lastStatus)} />
      ) : lastAt ? (
        <When at={lastAt} />
      ) : (
        'never'
      ),
  },
  {
    key: 'next',
    title: 'Next run',
    width: 112,
    csv: ({ nextAt }) => nextAt ?? '',
    cell: ({ nextAt }) => (nextAt ? <When at={nextAt} /> : '–'),
  },
]
