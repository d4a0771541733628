import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { Menu } from '@mantine/core'
import { IconKeyOff, IconPackages, IconPencil, IconPower, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { notRemovable, notUpdatable, provision, remove, revoke, setDown, setUp, updateAgent } from './acts.ts'
import { serversApi } from './api.ts'

/** Actions on a server, for the menus of its row and page. */
export function ServerActs({ server, onRemoved }: { server: Server; onRemoved?: () => void }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const { id, name, status, lastSeenAt } = server
  const unheard = lastSeenAt ? undefined : `${name} has no agent yet. Enrol it first.`
  return (
    <>
      <MenuAction
        label="Edit"
        icon={<IconPencil size={15} />}
        reason={lacking(['users:department:update', 'server:server:update'])}
        onClick={() => void navigate({ to: '/server/edit/$server', params: { server: String(id) } })}
      />
      <MenuAction
        label="Provision now"
        icon={<IconPackages size={15} />}
        reason={lacking(serversApi.provision) ?? unheard}
        onClick={() => void provision(server)}
      />
      <MenuAction
        label="Update agent"
        icon={<IconRefresh size={15} />}
        reason={lacking(serversApi.updateAgent) ?? notUpdatable(server)}
        onClick={() => void updateAgent(server)}
      />
      {status === 'up' ? (
        <MenuAction
          label="Set down…"
          icon={<IconPower size={15} />}
          reason={lacking(serversApi.status)}
          onClick={() => void setDown(server)}
        />
      ) : (
        <MenuAction
          label="Set up"
          icon={<IconPower size={15} />}
          reason={lacking(serversApi.status)}
          onClick={() => void setUp(server)}
        />
      )}
      <MenuAction
        label="Revoke credential…"
        icon={<IconKeyOff size={15} />}
        reason={lacking(serversApi.revoke) ?? unheard}
        onClick={() => void revoke(server)}
      />
      <Menu.Divider />
      <MenuAction
        label="Remove…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(serversApi.remove) ?? notRemovable(server)}
        onClick={() => void remove(server).then((gone) => gone && onRemoved?.())}
      />
    </>
  )
}
