import { Anchor, Text } from '@mantine/core'
import { IconLink, IconLock, IconPaperclip } from '@tabler/icons-react'
import { memo } from 'react'
import type { Day } from '../calendar/days.ts'
import { Avatar } from '../look/Avatar.tsx'
import { bytes, clock, lasting, moment } from '../look/format.ts'
import css from './conversation.module.css'
import { MessageText } from './MessageText.tsx'
import { dayLine, type MessageRow } from './messages.ts'

interface Props {
  row: MessageRow
  index: number
  count: number
  top: number
  today: Day
  /** The search words. */
  words: string
  /** Whether Tab reaches this message. */
  hasFocus: boolean
  /** Names of references to this message, such as score types. */
  marks: readonly string[] | undefined
  /** Undefined if messages cannot be marked. */
  isMarked: boolean | undefined
  /** The meaning of a mark: "evidence for Diagnosis". */
  markLabel: string | undefined
  onMark: (id: string) => void
}

/** One message as an article of a feed, with a day line above the first message of a day. */
export const MessageView = memo(function MessageView(props: Props) {
  const { row, index, count, top, today, hasFocus, marks, isMarked } = props
  const { message, day, joined } = row
  const { id, author, at, kind = 'message' } = message
  return (
    <article
      data-row={id}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-label={kind === 'event' ? `Event, ${clock(at)}` : `${author.name}, ${clock(at)}`}
      tabIndex={hasFocus ? 0 : -1}
      className={css.row}
      style={{ top }}
    >
      {day && (
        <h3 className={css.day}>
          <span>{dayLine(day, today)}</span>
        </h3>
      )}
      {kind === 'event' ? (
        <Text c="dimmed" fz="xs" ta="center" py={6} title={moment(at)}>
          {message.text}
        </Text>
      ) : (
        <div
          className={css.message}
          data-joined={joined || undefined}
          data-kind={kind}
          data-marked={isMarked || marks?.length ? true : undefined}
        >
          <div className={css.face} data-guest={!author.isStaff || undefined}>
            {!joined && <Avatar name={author.name} image={author.image} size={26} />}
          </div>
          <Body {...props} />
        </div>
      )}
    </article>
  )
})

function Body({ row: { message, gap, joined }, words, marks, isMarked, markLabel, onMark }: Props) {
  const { id, author, at, text, kind, images, files, editedAt, removed } = message
  return (
    <div className={css.body}>
      {(!joined || gap !== undefined || editedAt || (marks && marks.length > 0)) && (
        <div className={css.head}>
          {!joined && (
            <Text span fw={500} translate="no">
              <bdi>{author.name}</bdi>
            </Text>
          )}
          <time className={`mono ${css.time}`} dateTime={at} title={moment(at)}>
            {clock(at)}
          </time>
          {gap !== undefined && <span className={css.gap}>after {lasting(gap)}</span>}
          {kind === 'note' && (
            <span className={css.note}>
              <IconLock size={11} aria-hidden /> Internal note
            </span>
          )}
          {editedAt && <span title={moment(editedAt)}>edited</span>}
          {marks?.map((name) => (
            <span key={name} className={css.mark}>
              <IconLink size={10} aria-hidden /> {name}
            </span>
          ))}
        </div>
      )}
      {removed ? <Text c="dimmed">The source has removed this text.</Text> : <MessageText text={text} words={words} />}
      {images && images.length > 0 && (
        <div className={css.images}>
          {images.map(({ src, alt }) => (
            <a key={src} href={src} target="_blank" rel="noopener">
              <img src={src} alt={alt} loading="lazy" />
            </a>
          ))}
        </div>
      )}
      {files?.map(({ name, size, href }) => (
        <div key={href} className={css.file}>
          <IconPaperclip size={13} aria-hidden />
          <Anchor href={href} download={name} truncate>
            {name}
          </Anchor>
          <Text span c="dimmed" fz="xs">
            {bytes(size)}
          </Text>
        </div>
      ))}
      {isMarked !== undefined && (
        <button
          type="button"
          // the E key does the same; Tab moves on behind the conversation
          tabIndex={-1}
          aria-pressed={isMarked}
          aria-label={`Mark as ${markLabel}`}
          title={`${isMarked ? 'Unmark as' : 'Mark as'} ${markLabel} (E)`}
          className={css.act}
          onClick={() => onMark(id)}
        >
          <IconLink size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}
