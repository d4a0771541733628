import type { Mailbox } from '@innkeeper/contract/mailboxes'
import { Menu } from '@mantine/core'
import { IconPlayerPause, IconRefresh, IconTrash, IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../kit/access/reasons.ts'
import { MenuAction } from '../kit/look/MenuAction.tsx'
import { apply, removeDomain } from './acts.ts'
import { mailboxesApi } from './api.ts'
import { notChangeable } from './words.ts'

interface Props {
  mailbox: Mailbox
  setStatus: () => void
  onRemoved?: () => void
}

/** Menu items of a mail domain. */
export function MailboxActs({ mailbox, setStatus, onRemoved }: Props) {
  const lacking = useReason()
  const navigate = useNavigate()
  const busy = notChangeable(mailbox)
  const { websiteId } = mailbox
  return (
    <>
      {websiteId !== null && (
        <MenuAction
          label="Its website"
          icon={<IconWorld size={15} />}
          reason={lacking('website:website:read')}
          onClick={() =>
            void navigate({ to: '/websites/$id', params: { id: String(websiteId) }, search: { tab: 'data' } })
          }
        />
      )}
      <MenuAction
        label="Set status…"
        icon={<IconPlayerPause size={15} />}
        reason={lacking(mailboxesApi.toggle) ?? busy}
        onClick={setStatus}
      />
      <MenuAction
        label="Apply again"
        icon={<IconRefresh size={15} />}
        reason={lacking(mailboxesApi.apply) ?? busy}
        onClick={() => void apply(mailbox)}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(mailboxesApi.remove) ?? busy}
        onClick={() => void removeDomain(mailbox).then((begun) => begun && onRemoved?.())}
      />
    </>
  )
}
