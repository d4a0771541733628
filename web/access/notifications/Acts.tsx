import { IconArrowRight, IconMail, IconMailOpened } from '@tabler/icons-react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { goTo } from '../../kit/frame/goTo.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { notificationsApi } from './api.ts'
import type { Row } from './columns.tsx'
import { useNotificationTexts } from './texts.ts'
import { useRead } from './useRead.ts'

/** The menu of one row. */
export function Acts({ row }: { row: Row }) {
  const { read, unread, readAll } = useRead()
  const { link, readAt } = row
  const words = useNotificationTexts()
  return (
    <>
      <MenuAction
        label={words.goThere}
        icon={<IconArrowRight size={15} />}
        reason={link ? undefined : words.noLink}
        onClick={() => link && goTo(link)}
      />
      {readAt ? (
        <MenuAction label={words.markUnread} icon={<IconMail size={15} />} onClick={() => void unread(row)} />
      ) : (
        <MenuAction label={words.markRead} icon={<IconMailOpened size={15} />} onClick={() => void read(row)} />
      )}
      <MenuAction label={words.markBefore} icon={<IconMailOpened size={15} />} onClick={() => void readAll(row)} />
    </>
  )
}

/** The bulk actions on selected rows. */
export function Bulk({ rows, clear }: { rows: Row[]; clear: () => void }) {
  const { busy, run } = useAct()
  const words = useNotificationTexts()
  const mark = (read: boolean) =>
    run(async () => {
      for (const { id, readAt } of rows) if (read !== (readAt !== null)) await notificationsApi.read({ id, read })
      await readAgain(['notifications'])
      clear()
    })
  return (
    <>
      <ActButton size="xs" variant="default" loading={busy} onClick={() => void mark(true)}>
        {words.markRead}
      </ActButton>
      <ActButton size="xs" variant="default" loading={busy} onClick={() => void mark(false)}>
        {words.markUnread}
      </ActButton>
    </>
  )
}
