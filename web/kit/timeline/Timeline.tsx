import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Colour } from '../../palette.ts'
import { ago, moment } from '../look/format.ts'
import { Glyph, type Shape } from '../look/Glyph.tsx'
import css from './Timeline.module.css'

export interface TimelineEntry {
  id: string | number
  at: string
  /** The mark on the line; without one a small grey dot. */
  mark?: { shape: Shape; colour: Colour }
  /** What happened: "Requested", "Issued". */
  title: ReactNode
  /** At the right; without it how long ago. */
  aside?: ReactNode
  /** Below the title, in grey: who, why, until when. */
  note?: ReactNode
  children?: ReactNode
}
interface Props {
  /** What the list is called when it is read out. */
  label: string
  entries: readonly TimelineEntry[]
  /** In the place of entries, when there are none. */
  empty?: string
  /** There is more to read than these entries. */
  more?: { label: string; busy?: boolean; onMore: () => void }
}

/** What happened to one object, in the order of the caller. Entries out of sight cost the browser no layout. */
export function Timeline({ label, entries, empty = 'Nothing has happened yet.', more }: Props) {
  if (entries.length === 0 && !more) return <Text c="dimmed">{empty}</Text>
  return (
    <>
      <ol className={css.timeline} aria-label={label}>
        {entries.map(({ id, at, mark, title, aside, note, children }) => (
          <li key={id} className={css.entry}>
            <span className={css.mark}>{mark ? <Glyph {...mark} /> : <span className={css.dot} />}</span>
            <div className={css.head}>
              <Text component="div" fw={500} className={css.title}>
                {title}
              </Text>
              {aside ?? (
                <Text c="dimmed" fz="xs" className="num">
                  <time dateTime={at} title={moment(at)}>
                    {ago(at)}
                  </time>
                </Text>
              )}
            </div>
            {note && (
              <Text component="div" c="dimmed" fz="xs" className={css.note} title={moment(at)}>
                {note}
              </Text>
            )}
            {children}
          </li>
        ))}
      </ol>
      {more && (
        <Button size="xs" variant="default" ml={22} mt={10} loading={more.busy} onClick={more.onMore}>
          {more.label}
        </Button>
      )}
    </>
  )
}
