import { Text } from '@mantine/core'
import {
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { counted, swedish } from '../look/format.ts'
import css from './conversation.module.css'
import { FindBar } from './FindBar.tsx'
import { MessageView } from './MessageView.tsx'
import { estimateOf, foundIn, type Message, rowsOf } from './messages.ts'
import { useMeasuredRows } from './useMeasuredRows.ts'

/** Marking of messages, for instance as evidence of a score. */
interface Marking {
  /** The meaning of a mark: "evidence for Diagnosis". */
  label: string
  /** The marked messages. */
  marked: ReadonlySet<string>
  onToggle: (id: string) => void
}
export interface ConversationHandle {
  /** Scrolls to a message and focuses it. */
  show: (id: string) => void
  /** Focuses the message that was focused last. */
  focus: () => void
}
interface Props {
  /** The accessible name of the conversation. */
  label: string
  messages: readonly Message[]
  /** `last`: opens at the end and follows new messages, as in a chat. */
  from?: 'first' | 'last'
  marking?: Marking
  /** Names of references per message, such as score types. */
  marks?: ReadonlyMap<string, readonly string[]>
  ref?: Ref<ConversationHandle>
}

/**
 * A conversation of thousands of messages, which renders only the visible ones. One message is in the Tab order; arrow
 * keys, Page, Home and End move between messages, E marks. The parent sets the height.
 */
export function Conversation({ label, messages, from = 'first', marking, marks, ref }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useMemo(() => rowsOf(messages), [messages])
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const estimates = useMemo(() => rows.map(estimateOf), [rows])
  const { offsets, first, last, measure, show } = useMeasuredRows(scroller, { ids, estimates, from })
  const [focus, setFocus] = useState(from === 'last' ? messages.length - 1 : 0)
  const [follows, setFollows] = useState(0)
  const [words, setWords] = useState('')
  const found = useMemo(() => foundIn(messages, words), [messages, words])
  const at = Math.min(focus, rows.length - 1)

  const go = (n: number) => {
    setFocus(Math.max(0, Math.min(rows.length - 1, n)))
    setFollows(follows + 1) // also refocuses when the message is the same
  }
  /** Scrolls a message to the upper edge without moving the focus. */
  const bring = (n: number) => {
    setFocus(n)
    show(n)
  }
  useImperativeHandle(ref, () => ({
    show(id) {
      const n = ids.indexOf(id)
      if (n < 0) return
      show(n)
      go(n)
    },
    focus: () => go(at),
  }))
  // the message may only be rendered now
  // biome-ignore lint/correctness/useExhaustiveDependencies: `follows` asks for the focus
  useEffect(() => {
    if (follows) scroller.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)?.focus()
  }, [follows])

  const latest = useRef(marking?.onToggle)
  useEffect(() => {
    latest.current = marking?.onToggle
  })
  const onMark = useMemo(() => (id: string) => latest.current?.(id), [])
  const onKeyDown = (event: KeyboardEvent) => {
    const isMessage = event.target instanceof HTMLElement && event.target.dataset.index !== undefined
    if (!isMessage || event.ctrlKey || event.metaKey || event.altKey) return
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 10,
      PageUp: at - 10,
      Home: 0,
      End: rows.length - 1,
    }[event.key]
    if (to !== undefined) go(to)
    else if (event.key.toLowerCase() === 'e' && marking && rows[at]) onMark(rows[at].id)
    else return
    event.preventDefault()
  }
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const index = target.closest<HTMLElement>('[data-index]')?.dataset.index
    if (index !== undefined) setFocus(Number(index))
  }
  const today = swedish(new Date()).slice(0, 10)
  const notes = useMemo(() => messages.filter(({ kind }) => kind === 'note').length, [messages])
  const drawn = rows.flatMap((_, n) => ((n >= first && n <= last) || n === at ? [n] : []))
  return (
    <div className={css.conversation}>
      <div className={css.top}>
        <Text c="dimmed" fz="xs" truncate>
          {counted(messages.length, ['message', 'messages'])}
          {notes > 0 && `, ${counted(notes, ['internal note', 'internal notes'])}`}
        </Text>
        <FindBar words={words} found={found} onWords={setWords} onShow={bring} />
      </div>
      <div ref={scroller} className={css.scroller} onLoadCapture={measure}>
        <div
          role="feed"
          aria-label={label}
          className={css.rows}
          style={{ height: offsets.at(-1) }}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        >
          {drawn.map((n) => {
            const row = rows[n]
            return (
              row && (
                <MessageView
                  key={row.id}
                  row={row}
                  index={n}
                  count={rows.length}
                  top={offsets[n] ?? 0}
                  today={today}
                  words={words}
                  hasFocus={n === at}
                  marks={marks?.get(row.id)}
                  isMarked={marking?.marked.has(row.id)}
                  markLabel={marking?.label}
                  onMark={onMark}
                />
              )
            )
          })}
        </div>
        {rows.length === 0 && (
          <Text c="dimmed" p="lg" ta="center">
            No message yet.
          </Text>
        )}
      </div>
    </div>
  )
}
