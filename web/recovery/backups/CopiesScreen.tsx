import type { RepositoryCopy } from '@innkeeper/contract/recovery/backups/copies'
import { Menu } from '@mantine/core'
import { IconCalendar, IconCopy, IconPlayerPause, IconPlayerPlay, IconReplace, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { domains, removeCopy, runCopy, takeOver } from './acts.ts'
import { backupsApi } from './api.ts'
import { badges, columns, lagOf } from './copyColumns.tsx'

const CopyModal = lazyDialog(() => import('./CopyModal.tsx'))

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
