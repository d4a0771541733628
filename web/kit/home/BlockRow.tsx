import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Mono } from '../look/Mono.tsx'
import { StatusBadge } from '../look/StatusBadge.tsx'
import css from './block.module.css'

interface Props {
  /** Path of the object's page, if any. */
  to?: string
  name: string
  /** Shows the name in the normal font instead of monospaced. */
  plain?: boolean
  kind: string
  note: string
  when: string
  state?: string
  /** Replaces the default word of the status. */
  stateName?: string
  /** Buttons of size xs beside the row, for what waits for this person. */
  acts?: ReactNode
}

/** An object that needs attention: name, note, status and time. */
export function BlockRow({ to, name, plain, kind, note, when, state, stateName, acts }: Props) {
  const cells = (
    <>
      <span className={css.name}>
        {plain ? (
          <Text span fw={450} truncate title={name}>
            {name}
          </Text>
        ) : (
          <Mono fw={450} truncate title={name}>
            {name}
          </Mono>
        )}
        <Text span c="dimmed" fz="xs" truncate>
          {kind}
        </Text>
      </span>
      {(note || !acts) && (
        <Text span c="dimmed" truncate className={css.note} title={note}>
          {note}
        </Text>
      )}
      <Text span c="dimmed" className={`num ${css.when}`}>
        {when}
      </Text>
      {state && <StatusBadge state={state} {...(stateName && { label: stateName })} />}
    </>
  )
  const row = to ? (
    <Link to={to} className={css.row} data-acts={acts ? true : undefined}>
      {cells}
    </Link>
  ) : (
    <div className={css.row} data-acts={acts ? true : undefined}>
      {cells}
    </div>
  )
  if (!acts) return row
  return (
    <div className={css.waiting}>
      {row}
      <div className={css.acts}>{acts}</div>
    </div>
  )
}
