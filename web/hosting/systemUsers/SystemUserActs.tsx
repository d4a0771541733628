import type { SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { Menu } from '@mantine/core'
import { IconPackage, IconPlayerPause, IconPlayerPlay, IconTrash, IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { activate, notRemovable, notSwitchable, remove, suspend } from './acts.ts'
import { systemUsersApi } from './api.ts'

interface Props {
  account: SystemUser
  changePlan: () => void
  onRemoved?: () => void
}

/** The menu items of an account, for its row and its page. */
export function SystemUserActs({ account, changePlan, onRemoved }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  const switching = notSwitchable(account)
  return (
    <>
      <MenuAction
        label="Its websites"
        icon={<IconWorld size={15} />}
        reason={lacking('website:website:read')}
        onClick={() =>
          void navigate({
            to: '/websites',
            search: { server: String(account.serverId), userid: String(account.ownerId) },
          })
        }
      />
      <MenuAction
        label="Change plan…"
        icon={<IconPackage size={15} />}
        reason={lacking(systemUsersApi.plan) ?? switching}
        onClick={changePlan}
      />
      {account.status === 'suspended' ? (
        <MenuAction
          label="Activate"
          icon={<IconPlayerPlay size={15} />}
          reason={lacking(systemUsersApi.update) ?? switching}
          onClick={() => void activate(account)}
        />
      ) : (
        <MenuAction
          label="Suspend…"
          icon={<IconPlayerPause size={15} />}
          reason={lacking(systemUsersApi.update) ?? switching}
          onClick={() => void suspend(account)}
        />
      )}
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(systemUsersApi.remove) ?? notRemovable(account)}
        onClick={() => void remove(account).then((begun) => begun && onRemoved?.())}
      />
    </>
  )
}
