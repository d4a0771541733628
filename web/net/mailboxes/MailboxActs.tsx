import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { Menu } from '@mantine/core'
import { IconArrowsExchange, IconPlayerPause, IconRefresh, IconTrash } from '@tabler/icons-react'
import { ItsWebsite } from '../../hosting/websites/ItsWebsite.tsx'
import { useReason } from '../../kit/access/reasons.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { apply, removeDomain } from './acts.ts'
import { mailboxesApi } from './api.ts'
import { notChangeable } from './words.ts'

interface Props {
  mailbox: Mailbox
  setStatus: () => void
  move?: () => void
  onRemoved?: () => void
}

/** Menu items of a mail domain. */
export function MailboxActs({ mailbox, setStatus, move, onRemoved }: Props) {
  const lacking = useReason()
  const busy = notChangeable(mailbox)
  const { websiteId } = mailbox
  return (
    <>
      {websiteId !== null && <ItsWebsite id={websiteId} tab="data" />}
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
      {move && (
        <MenuAction
          label="Move to another server…"
          icon={<IconArrowsExchange size={15} />}
          reason={lacking(mailboxesApi.move) ?? busy}
          onClick={move}
        />
      )}
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
