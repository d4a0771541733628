import type { FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { Menu } from '@mantine/core'
import { IconBan, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { ItsWebsite } from '../websites/ItsWebsite.tsx'
import { removeUser, setStatus } from './acts.ts'
import { ftpUsersApi } from './api.ts'
import { notChangeable } from './words.ts'

interface Props {
  user: FtpUser
  onRemoved?: () => void
}

/** Menu items for an FTP user. */
export function FtpUserActs({ user, onRemoved }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  const busy = notChangeable(user)
  const changing = lacking(ftpUsersApi.update) ?? busy
  const to = (status: FtpUser['status'], label: string, icon: React.ReactNode) =>
    user.status !== status && (
      <MenuAction label={label} icon={icon} reason={changing} onClick={() => void setStatus(user, status)} />
    )
  return (
    <>
      <ItsWebsite id={user.websiteId} tab="access" />
      {!onRemoved && (
        <MenuAction
          label="Edit"
          icon={<IconPencil size={15} />}
          reason={changing}
          onClick={() => void navigate({ to: '/ftp-users/edit/$ftpUserId', params: { ftpUserId: String(user.id) } })}
        />
      )}
      {to('active', 'Activate', <IconPlayerPlay key="active" size={15} />)}
      {to('suspended', 'Suspend…', <IconPlayerPause key="suspended" size={15} />)}
      {to('disabled', 'Disable…', <IconBan key="disabled" size={15} />)}
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(ftpUsersApi.remove) ?? busy}
        onClick={() => void removeUser(user).then((begun) => begun && onRemoved?.())}
      />
    </>
  )
}
