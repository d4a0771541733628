import type { Repository } from '@innkeeper/contract/recovery/backups/shapes'
import { Menu } from '@mantine/core'
import {
  IconChartLine,
  IconCopy,
  IconKey,
  IconKeyFilled,
  IconLock,
  IconLockOpen,
  IconShieldCheck,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { HeadLinks } from '../../kit/frame/HeadLinks.tsx'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { bytes, count } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { When } from '../../kit/look/When.tsx'
import { check, domains, lock, removeRepository, unlock } from './acts.ts'
import { backupsApi } from './api.ts'
import { KeyModal, type Shown } from './KeyModal.tsx'

const CopyModal = lazyDialog(() => import('./CopyModal.tsx'))
const PasswordModal = lazyDialog(() => import('./PasswordModal.tsx'))
const SizesModal = lazyDialog(() => import('./SizesModal.tsx'))

const stateOf = ({ lockType, status }: Repository) => (lockType ? 'blocked' : status === 'ready' ? 'active' : status)
const at = (when: string | null) => (when ? <When at={when} /> : 'never')

const columns: readonly Column<Repository>[] = [
  {
    key: 'account',
    title: 'Repository',
    sort: 'name',
    csv: ({ account }) => account,
    cell: ({ account, serverName, backupServerName, copyOfId }) => (
      <NameCell below={`${copyOfId ? 'copy of ' : ''}${serverName} on ${backupServerName}`}>
        <Mono fw={450}>{account}</Mono>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 120,
    csv: stateOf,
    cell: (one) => (
      <span title={one.lockedBy ? `Locked by ${one.lockedBy}` : undefined}>
        <StatusBadge state={stateOf(one)} label={one.lockType ? 'Locked' : undefined} />
      </span>
    ),
  },
  {
    key: 'backups',
    title: 'Backups',
    width: 90,
    align: 'right',
    csv: ({ backups }) => backups,
    cell: ({ backups }) => <span className="num">{count(backups)}</span>,
  },
  {
    key: 'size',
    title: 'Size',
    width: 96,
    align: 'right',
    csv: ({ size }) => size ?? '',
    cell: ({ size }) => <span className="num">{size === null ? '–' : bytes(size)}</span>,
  },
  {
    key: 'backup',
    title: 'Last backup',
    width: 112,
    csv: ({ lastBackupAt }) => lastBackupAt ?? '',
    cell: ({ lastBackupAt }) => at(lastBackupAt),
  },
  {
    key: 'forget',
    title: 'Last forget',
    width: 112,
    csv: ({ lastForgetAt }) => lastForgetAt ?? '',
    cell: ({ lastForgetAt }) => at(lastForgetAt),
  },
  {
    key: 'prune',
    title: 'Last prune',
    width: 112,
    csv: ({ lastPruneAt }) => lastPruneAt ?? '',
    cell: ({ lastPruneAt }) => at(lastPruneAt),
  },
  {
    key: 'check',
    title: 'Checked',
    width: 130,
    csv: ({ checkResult }) => checkResult ?? '',
    cell: ({ lastCheckAt, checkResult }) =>
      lastCheckAt ? (
        <span title={checkResult ?? undefined}>
          {checkResult === 'good' ? <When at={lastCheckAt} /> : <StatusBadge state="failed" label="Damaged" />}
        </span>
      ) : (
        'never'
      ),
  },
]

export default function RepositoriesScreen() {
  const list = useList(backupsApi.repositories, { filters: ['search', 'backupServerId'] })
  const lacking = useReason()
  const [shown, setShown] = useState<Shown>()
  const [copied, setCopied] = useState<Repository>()
  const [entered, setEntered] = useState<Repository>()
  const [sized, setSized] = useState<Repository>()
  const reveal = async ({ id }: Repository) => {
    const answer = await attempt(() => backupsApi.reveal({ id }), domains)
    if (answer) setShown(answer)
  }
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <HeadLinks
          label="Copies, locks and cleaning"
          links={[
            { title: 'Copies', to: '/backups/repositories/copies' },
            { title: 'Locks', to: '/backups/repositories/locks', reason: lacking('backup:repo:forget') },
            { title: 'Forget', to: '/backups/repositories/forget', reason: lacking('backup:repo:forget') },
            { title: 'Prune', to: '/backups/repositories/prune', reason: lacking('backup:repo:prune') },
          ]}
        />
      }
    >
      <ListTable
        name="backup-repositories"
        noun={['repository', 'repositories']}
        list={list}
        columns={columns}
        card={(one) => (
          <RowCard name={one.account} below={`${one.serverName} on ${one.backupServerName}`}>
            <StatusBadge state={stateOf(one)} label={one.lockType ? 'Locked' : undefined} />
          </RowCard>
        )}
        label={({ account }) => account}
        menu={(one) => (
          <>
            <MenuAction
              label="Check now"
              icon={<IconShieldCheck size={15} />}
              reason={lacking(backupsApi.check)}
              onClick={() => void check(one)}
            />
            <MenuAction
              label="Copy off site…"
              icon={<IconCopy size={15} />}
              reason={
                lacking(backupsApi.createCopy) ?? (one.copyOfId ? 'This repository is a copy itself.' : undefined)
              }
              onClick={() => setCopied(one)}
            />
            <MenuAction
              label="Size over time…"
              icon={<IconChartLine size={15} />}
              reason={lacking(backupsApi.sizes)}
              onClick={() => setSized(one)}
            />
            <MenuAction
              label="Password for plain restic…"
              icon={<IconKey size={15} />}
              reason={lacking(backupsApi.reveal)}
              onClick={() => void reveal(one)}
            />
            <MenuAction
              label="Enter another password…"
              icon={<IconKeyFilled size={15} />}
              reason={lacking(backupsApi.changePassword)}
              onClick={() => setEntered(one)}
            />
            <Menu.Divider />
            {one.lockType ? (
              <MenuAction
                label="Unlock"
                icon={<IconLockOpen size={15} />}
                reason={lacking(backupsApi.unlock)}
                onClick={() => void unlock(one)}
              />
            ) : (
              <>
                <MenuAction
                  label="Lock everything"
                  icon={<IconLock size={15} />}
                  reason={lacking(backupsApi.lock)}
                  onClick={() => void lock(one, 'lock-all')}
                />
                <MenuAction
                  label="Lock, but allow restores"
                  icon={<IconLock size={15} />}
                  reason={lacking(backupsApi.lock)}
                  onClick={() => void lock(one, 'allow-restore')}
                />
              </>
            )}
            <Menu.Divider />
            <MenuAction
              label="Delete…"
              danger
              icon={<IconTrash size={15} />}
              reason={lacking(backupsApi.removeRepository)}
              onClick={() => void removeRepository(one)}
            />
          </>
        )}
        search={{ key: 'search', placeholder: 'Repository' }}
        empty={{
          title: 'No repository yet',
          text: 'The first backup of a machine to a backup server makes its repository there.',
          tag: 'BK',
        }}
      />
      {copied && <CopyModal of={copied} close={() => setCopied(undefined)} />}
      {sized && <SizesModal repository={sized} close={() => setSized(undefined)} />}
      {entered && <PasswordModal repository={entered} close={() => setEntered(undefined)} />}
      {shown && <KeyModal shown={shown} close={() => setShown(undefined)} />}
    </Screen>
  )
}
