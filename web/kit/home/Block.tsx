import { Skeleton, Text } from '@mantine/core'
import { type CSSProperties, createContext, type ReactNode, use, useEffect, useState } from 'react'
import { ownStore } from '../frame/browserStore.ts'
import { ErrorLine } from '../frame/ErrorLine.tsx'
import { Section } from '../frame/Section.tsx'
import css from './block.module.css'

interface Props {
  hint?: ReactNode
  /** A link to the screen with all rows. */
  all?: ReactNode
  /** Undefined while the rows load. */
  rows: readonly ReactNode[] | undefined
  error?: Error | null
  /** Text of a block without rows. */
  empty: string
}

interface BlockPlace {
  /** The name under which the browser keeps whether the block was empty. */
  name: string
  title: string
  /** A button by which people move the block: by dragging, or with the arrow keys. */
  handle?: ReactNode
}
/** The place of a block on the home screen, which provides one for each block. */
export const BlockPlace = createContext<BlockPlace>({ name: '', title: '' })

/**
 * A block of the home screen. Its height is fixed, so that rows that arrive late move nothing; further rows scroll. A
 * block that had no rows at the last visit is low, and stays low until the next one.
 */
export function Block({ hint, all, rows, error, empty }: Props) {
  const { name, title, handle } = use(BlockPlace)
  const [isLow] = useState(() => ownStore(`block.${name}`).read() === 'empty')
  const isLoaded = rows !== undefined
  const isEmpty = rows?.length === 0
  useEffect(() => {
    if (isLoaded) ownStore(`block.${name}`).write(isEmpty ? 'empty' : '')
  }, [name, isLoaded, isEmpty])
  return (
    <div className={css.block} data-low={isLow || undefined}>
      <Section
        title={title}
        hint={hint}
        pad={false}
        aside={
          <span className={css.aside}>
            {all}
            {handle}
          </span>
        }
      >
        <div className={css.body}>
          {error && !rows && <ErrorLine error={error} />}
          {!error && !rows && <Waiting />}
          {rows}
          {isEmpty && (
            <Text c="dimmed" p={14}>
              {empty}
            </Text>
          )}
        </div>
      </Section>
    </div>
  )
}

const Waiting = () =>
  [0.6, 0.45, 0.7].map((share) => (
    <div key={share} className={css.row} aria-busy>
      <Skeleton h={10} style={{ width: `${100 * share}%` } satisfies CSSProperties} />
    </div>
  ))
