import { keepText } from '@innkeeper/contract/recovery/backups/keep'
import type { BackupServer } from '@innkeeper/contract/recovery/backups/shapes'
import { Group, Menu } from '@mantine/core'
import { IconCalendar, IconDatabase, IconPlugConnected, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { removeServer } from './acts.ts'
import { backupsApi } from './api.ts'
import { columns, stateOf } from './serverColumns.tsx'

const BucketModal = lazyDialog(() => import('./BucketModal.tsx'))
const MaintenanceModal = lazyDialog(() => import('./MaintenanceModal.tsx'))

export default function ServersScreen() {
  const list = useList(backupsApi.servers, { filters: ['search'] })
  const lacking = useReason()
  const navigate = useNavigate()
  const [changing, setChanging] = useState<BackupServer>()
  const [reaching, setReaching] = useState<BackupServer>()
  const [adding, setAdding] = useState(false)
  const create = (
    <Group gap={8} wrap="nowrap">
      <ActButton variant="default" reason={lacking(backupsApi.createBucket)} onClick={() => setAdding(true)}>
        Add bucket…
      </ActButton>
      <CreateButton call={backupsApi.createServer} to="/backups/create-server">
        Create backup server
      </CreateButton>
    </Group>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="backup-servers"
        noun={['backup server', 'backup servers']}
        list={list}
        columns={columns}
        card={(server) => (
          <RowCard name={server.name} below={keepText(server.keep)}>
            <StatusBadge state={stateOf(server)} />
          </RowCard>
        )}
        label={({ name }) => name}
        menu={(server) => (
          <>
            <MenuAction
              label="Its repositories"
              icon={<IconDatabase size={15} />}
              reason={lacking(backupsApi.repositories)}
              onClick={() =>
                void navigate({ to: '/backups/repositories', search: { backupServerId: String(server.id) } })
              }
            />
            <MenuAction
              label="Keep, forget, prune and drills…"
              icon={<IconCalendar size={15} />}
              reason={lacking(backupsApi.scheduleForget) ?? lacking(backupsApi.schedulePrune)}
              onClick={() => setChanging(server)}
            />
            {server.s3 && (
              <MenuAction
                label="How it is reached…"
                icon={<IconPlugConnected size={15} />}
                reason={lacking(backupsApi.updateBucket)}
                onClick={() => setReaching(server)}
              />
            )}
            <Menu.Divider />
            <MenuAction
              label="Remove…"
              danger
              icon={<IconTrash size={15} />}
              reason={
                lacking(backupsApi.removeServer) ??
                (server.repositories
                  ? `The server has ${counted(server.repositories, ['repository', 'repositories'])}.`
                  : undefined)
              }
              onClick={() => void removeServer(server)}
            />
          </>
        )}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No backup server yet',
          text: 'A managed server of the type backup keeps the backups of the others. Each machine has an account there that can only append. An S3 bucket works as well, without that protection.',
          action: create,
          tag: 'BK',
        }}
      />
      {adding && <BucketModal close={() => setAdding(false)} />}
      {reaching && <BucketModal server={reaching} close={() => setReaching(undefined)} />}
      {changing && <MaintenanceModal server={changing} close={() => setChanging(undefined)} />}
    </Screen>
  )
}
