import type { RepositoryCopy } from '@innkeeper/contract/backups/copies'
import { whenText } from '@innkeeper/contract/backups/when'
import { Menu } from '@mantine/core'
import { IconCalendar, IconCopy, IconPlayerPause, IconPlayerPlay, IconReplace, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { attempt } from '../kit/api/attempt.ts'
import { LinkButton } from '../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../kit/frame/lazyScreen.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import type { Column } from '../kit/list/columns.ts'
import { ListTable } from '../kit/list/ListTable.tsx'
import { listCount } from '../kit/list/listCount.ts'
import { NameCell } from '../kit/list/NameCell.tsx'
import { RowCard } from '../kit/list/RowCard.tsx'
import { useList } from '../kit/list/useList.ts'
import { bytes, count, counted, moment } from '../kit/look/format.ts'
import { MenuAction } from '../kit/look/MenuAction.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { When } from '../kit/look/When.tsx'
import { domains, removeCopy, runCopy, takeOver } from './acts.ts'
import { backupsApi } from './api.ts'

const CopyModal = lazyDialog(() => import('./CopyModal.tsx'))

const badges: Record<RepositoryCopy['state'], { state: string; label: string }> = {
  never: { state: 'pending', label: 'Not yet copied' },
  running: { state: 'running', label: 'Copying' },
  current: { state: 'active', label: 'Up to date' },
  waiting: { state: 'pending', label: 'Behind' },
  late: { state: 'failed', label: 'Late' },
  failed: { state: 'failed', label: 'Failed' },
  off: { state: 'suspended', label: 'Off' },
}
const lagOf = ({ waiting, waitingSince }: RepositoryCopy) =>
  waiting ? `${counted(waiting, ['backup', 'backups'])}, the oldest of ${moment(waitingSince ?? '')}` : 'none'

const columns: readonly Column<RepositoryCopy>[] = [
  {
    key: 'account',
    title: 'Repository',
    csv: ({ account }) => account,
    cell: ({ account, serverName, backupServerName }) => (
      <NameCell below={`${serverName} on ${backupServerName}`}>
        <Mono fw={450}>{account}</Mono>
      </NameCell>
    ),
  },
  {
    key: 'target',
    title: 'Copied to',
    width: 150,
    csv: ({ targetServerName }) => targetServerName,
    cell: ({ targetServerName, size }) => (
      <NameCell below={size === null ? undefined : bytes(size)}>
        <Mono>{targetServerName}</Mono>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'Status',
    width: 130,
    csv: ({ state }) => badges[state].label,
    cell: ({ state, error, failures }) => (
      <span title={error ? `${error} (${counted(failures, ['run', 'runs'])} failed)` : undefined}>
        <StatusBadge {...badges[state]} />
      </span>
    ),
  },
  {
    key: 'lastAt',
    title: 'Last copied',
    width: 120,
    csv: ({ lastAt }) => lastAt ?? '',
    cell: ({ lastAt }) => (lastAt ? <When at={lastAt} /> : 'never'),
  },
  {
    key: 'copied',
    title: 'Backups',
    width: 90,
    align: 'right',
    csv: ({ copied }) => copied,
    cell: ({ copied }) => <span className="num">{count(copied)}</span>,
  },
  { key: 'waiting', title: 'Not copied yet', width: 240, csv: lagOf, cell: lagOf },
  {
    key: 'when',
    title: 'Schedule',
    width: 190,
    csv: ({ when }) => (when ? whenText(when) : ''),
    cell: ({ when, limit }) => (
      <NameCell below={limit ? `${count(limit)} kB/s` : undefined}>{when ? whenText(when) : 'by hand'}</NameCell>
    ),
  },
]

export default function CopiesScreen() {
  const list = useList(backupsApi.copies, { filters: ['repositoryId', 'backupServerId'] })
  const lacking = useReason()
  const [changing, setChanging] = useState<RepositoryCopy>()
  const turn = ({ id, version, enabled }: RepositoryCopy) =>
    attempt(() => backupsApi.updateCopy({ id, version, enabled: !enabled }), domains)
  const repositories = (
    <LinkButton variant="default" to="/backups/repositories">
      Repositories
    </LinkButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={repositories}>
      <ListTable
        name="backup-copies"
        noun={['copy', 'copies']}
        list={list}
        columns={columns}
        card={(copy) => (
          <RowCard name={`${copy.account} to ${copy.targetServerName}`} below={`Not copied yet: ${lagOf(copy)}`}>
            <StatusBadge {...badges[copy.state]} />
          </RowCard>
        )}
        label={({ account }) => account}
        menu={(copy) => {
          const busy = copy.state === 'running' ? 'The repository is being copied.' : undefined
          return (
            <>
              <MenuAction
                label="Copy now"
                icon={<IconCopy size={15} />}
                reason={lacking(backupsApi.runCopy) ?? busy}
                onClick={() => void runCopy(copy)}
              />
              <MenuAction
                label="Schedule and bandwidth…"
                icon={<IconCalendar size={15} />}
                reason={lacking(backupsApi.updateCopy)}
                onClick={() => setChanging(copy)}
              />
              <MenuAction
                label={copy.enabled ? 'Switch off' : 'Switch on'}
                icon={copy.enabled ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
                reason={lacking(backupsApi.updateCopy)}
                onClick={() => void turn(copy)}
              />
              <Menu.Divider />
              <MenuAction
                label="The original is lost: use the copy…"
                danger
                icon={<IconReplace size={15} />}
                reason={lacking(backupsApi.useCopy) ?? busy ?? (copy.copied ? undefined : 'Nothing is copied yet.')}
                onClick={() => void takeOver(copy)}
              />
              <MenuAction
                label="End copying…"
                danger
                icon={<IconTrash size={15} />}
                reason={lacking(backupsApi.removeCopy) ?? busy}
                onClick={() => void removeCopy(copy)}
              />
            </>
          )
        }}
        empty={{
          title: 'No copy yet',
          text: 'A repository can be copied to a backup server at another place. If the original is lost, its backups can be restored from the copy.',
          action: repositories,
          tag: 'BK',
        }}
      />
      {changing && <CopyModal of={changing} close={() => setChanging(undefined)} />}
    </Screen>
  )
}
