import type { MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { Menu } from '@mantine/core'
import { IconAt, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { removeUser } from '../acts.ts'
import { mailboxesApi } from '../api.ts'

/** Menu items of a mailbox. */
export function UserActs({ user, onRemoved }: { user: MailboxUser; onRemoved?: () => void }) {
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
