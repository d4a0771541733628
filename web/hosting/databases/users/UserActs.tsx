import type { DatabaseAccount } from '@innkeeper/contract/hosting/databases/calls'
import { Menu } from '@mantine/core'
import { IconKey, IconLock, IconLockOpen, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { ItsWebsite } from '../../websites/ItsWebsite.tsx'
import { rotate } from '../acts.ts'
import { databasesApi } from '../api.ts'
import { notChangeable, removeUser, setLocked } from './acts.ts'

interface Props {
  user: DatabaseAccount
  onRemoved?: () => void
}

/** Menu items for a database account. */
export function UserActs({ user, onRemoved }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  const busy = notChangeable(user)
  const changing = lacking(databasesApi.updateUser) ?? busy
  return (
    <>
      <ItsWebsite id={user.websiteId} tab="data" />
      {!onRemoved && (
        <MenuAction
          label="Edit"
          icon={<IconPencil size={15} />}
          reason={changing}
          onClick={() => void navigate({ to: '/databases/users/edit/$userId', params: { userId: String(user.id) } })}
        />
      )}
      <MenuAction
        label="New password…"
        icon={<IconKey size={15} />}
        reason={lacking(databasesApi.rotate) ?? busy}
        onClick={() => void rotate(user)}
      />
      <MenuAction
        label={user.locked ? 'Unlock' : 'Lock…'}
        icon={user.locked ? <IconLockOpen size={15} /> : <IconLock size={15} />}
        reason={changing}
        onClick={() => void setLocked(user)}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(databasesApi.removeUser) ?? busy}
        onClick={() => void removeUser(user).then((begun) => begun && onRemoved?.())}
      />
    </>
  )
}
