import type { MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { Menu } from '@mantine/core'
import { IconAt, IconMailDown, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { removeUser } from '../acts.ts'
import { mailboxesApi } from '../api.ts'

interface Props {
  user: MailboxUser
  importMail?: () => void
  onRemoved?: () => void
}

/** Menu items of a mailbox. */
export function UserActs({ user, importMail, onRemoved }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  return (
    <>
      <MenuAction
        label="Its mail domain"
        icon={<IconAt size={15} />}
        onClick={() =>
          void navigate({ to: '/mailboxes/edit/$mailboxId', params: { mailboxId: String(user.mailboxId) } })
        }
      />
      {importMail && (
        <MenuAction
          label="Import mail…"
          icon={<IconMailDown size={15} />}
          reason={lacking(mailboxesApi.importMail)}
          onClick={importMail}
        />
      )}
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(mailboxesApi.removeUser)}
        onClick={() => void removeUser(user).then((begun) => begun && onRemoved?.())}
      />
    </>
  )
}
