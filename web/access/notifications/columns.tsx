import type { Notification } from '@innkeeper/contract/access/notifications'
import { Group, Text, VisuallyHidden } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { swedish } from '../../kit/look/format.ts'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { Linkified } from '../../kit/look/Linkified.tsx'
import css from './columns.module.css'
import { useLevelTexts, useNotificationTexts, useReasonTexts } from './texts.ts'
import { useRead } from './useRead.ts'
import { marks } from './words.ts'

/** Lists tell rows apart by `id`; the call names it `_id`, as the spec does. */
export type Row = Notification & { id: number }
export const toRow = (notification: Notification): Row => ({ ...notification, id: notification._id })

function Title({ row }: { row: Row }) {
  const { read } = useRead()
  const { title, link, readAt } = row
  const words = (
    <Text span inherit fw={readAt ? 400 : 600} title={title} style={{ overflowWrap: 'anywhere' }}>
      {title}
      {!readAt && <VisuallyHidden>{useNotificationTexts.now().isUnread}</VisuallyHidden>}
    </Text>
  )
  if (!link) return words
  return (
    <LinkTo to={link} c="inherit" display="block" truncate onClick={() => readAt || void read(row)}>
      {words}
    </LinkTo>
  )
}

const What = ({ row }: { row: Row }) => (
  <Group gap={9} wrap="nowrap" align="flex-start" className={css.what}>
    <span className={css.mark}>
      <Glyph shape={marks[row.level].shape} colour={marks[row.level].colour} size={14} />
      <VisuallyHidden>{useLevelTexts.now()[row.level]}.</VisuallyHidden>
    </span>
    <div className={css.words}>
      <Title row={row} />
      <Text c="dimmed" fz="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        <Linkified text={row.body} />
      </Text>
    </div>
  </Group>
)

const When = ({ date }: { date: string }) => (
  <time dateTime={date} className={`num ${css.when}`}>
    {swedish(date)}
  </time>
)

/** The columns in the language of the person. */
export const columnsIn = (words: ReturnType<typeof useNotificationTexts>): readonly Column<Row>[] => [
  { key: 'title', title: words.columnWhat, csv: ({ title }) => title, cell: (row) => <What row={row} /> },
  {
    key: 'reason',
    title: words.filterReason,
    width: 180,
    csv: ({ reason }) => useReasonTexts.now()[reason],
    cell: ({ reason }) => <Text c="dimmed">{useReasonTexts.now()[reason]}</Text>,
  },
  {
    key: 'date',
    title: words.columnWhen,
    width: 160,
    csv: ({ date }) => date,
    cell: ({ date }) => <When date={date} />,
  },
  {
    key: 'body',
    title: words.columnText,
    off: true,
    csv: ({ body }) => body,
    cell: ({ body }) => <Text lineClamp={2}>{body}</Text>,
  },
  {
    key: 'readAt',
    title: words.filterRead,
    width: 160,
    off: true,
    csv: ({ readAt }) => readAt,
    cell: ({ readAt }) => (readAt ? <When date={readAt} /> : <Text c="dimmed">{words.notYet}</Text>),
  },
]

/** On a phone: the event, then reason and time. */
export const NotificationCard = ({ row }: { row: Row }) => (
  <div>
    <What row={row} />
    <Text c="dimmed" fz={11} mt={3} ml={23}>
      {useReasonTexts.now()[row.reason]} · <When date={row.date} />
    </Text>
  </div>
)
