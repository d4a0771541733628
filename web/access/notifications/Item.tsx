import type { Notification } from '@innkeeper/contract/access/notifications'
import { ActionIcon, Text, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { goTo } from '../../kit/frame/goTo.ts'
import { swedish } from '../../kit/look/format.ts'
import { Glyph } from '../../kit/look/Glyph.tsx'
import css from './Bell.module.css'
import { useLevelTexts, useNotificationTexts, useReasonTexts } from './texts.ts'
import { useRead } from './useRead.ts'
import { marks } from './words.ts'

interface Props {
  item: Notification
  close: () => void
  /** Offers a button that marks the notification as read without following its link. */
  dismiss?: boolean
}

/** One notification of the bell: event, reason and age. Opening it marks it as read and follows its link. */
export function Item({ item, close, dismiss = false }: Props) {
  const { read, busy } = useRead()
  const words = useNotificationTexts()
  const { level, title, body, date, reason, link, readAt } = item
  const { shape, colour } = marks[level]
  const open = () => {
    if (!readAt) void read(item)
    if (!link) return
    close()
    goTo(link)
  }
  return (
    <li className={dismiss ? css.dismissed : undefined}>
      <UnstyledButton className={css.item} data-unread={!readAt || undefined} onClick={open}>
        <Glyph shape={shape} colour={colour} size={14} />
        <VisuallyHidden>{useLevelTexts.now()[level]}.</VisuallyHidden>
        <span className={css.text}>
          <Text span display="block" fw={readAt ? 400 : 600}>
            {title}
            {!readAt && <VisuallyHidden>{words.isUnread}</VisuallyHidden>}
          </Text>
          <Text span display="block" fz="xs" c="dimmed" lineClamp={2}>
            {body}
          </Text>
          <Text span display="block" fz={11} c="dimmed" className="num">
            {useReasonTexts.now()[reason]} · <time dateTime={date}>{swedish(date)}</time>
          </Text>
        </span>
      </UnstyledButton>
      {dismiss && (
        <Tooltip label={words.markRead}>
          <ActionIcon size={26} loading={busy} aria-label={words.markOneRead(title)} onClick={() => void read(item)}>
            <IconCheck size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}
