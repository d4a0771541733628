import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Colour } from '../../palette.ts'
import { ago, moment } from '../look/format.ts'
import { Glyph, type Shape } from '../look/Glyph.tsx'
import css from './Timeline.module.css'

export interface TimelineEntry {
  id: string | number
  at: string
  /** The mark on the line; a small grey dot by default. */
  mark?: { shape: Shape; colour: Colour }
  /** What happened: "Requested", "Issued". */
  title: ReactNode
  /** At the right; the age by default. */
  aside?: ReactNode
  /** Grey text below the title: who, why, until when. */
  note?: ReactNode
  children?: ReactNode
}
interface Props {
  /** The accessible name of the list. */
  label: string
  entries: readonly TimelineEntry[]
  /** Text without entries. */
  empty?: string
  /** Button that loads further entries. */
  more?: { label: string; busy?: boolean; onMore: () => void }
}

/** The events of an object, in the caller's order. Entries outside the viewport cost no layout. */
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
