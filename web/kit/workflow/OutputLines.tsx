import type { OutputLine } from '@innkeeper/contract/machines/workflows'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { clock } from '../look/format.ts'
import css from './ActionList.module.css'

export interface LinesQuery {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<{ items: OutputLine[] }>
}

/** Output of the agent, scrolled to the newest line unless the reader scrolled up. */
export function OutputLines({ query, live }: { query: LinesQuery; live: boolean }) {
  const { data, error } = useQuery({ ...query, refetchInterval: live && 1500 })
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const lines = data?.items ?? []
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line brings the end into view
  useEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight
  }, [lines.length])
  if (!lines.length)
    return (
      <Text c="dimmed" fz="xs" mt={8}>
        {error ? error.message : 'No output yet.'}
      </Text>
    )
  return (
    <div
      ref={box}
      className={`mono ${css.log}`}
      role="log"
      aria-label="Output of the agent"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: at }) => {
        atEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < 24
      }}
    >
      {lines.map(({ attempt, seq, at, text }) => (
        <div key={`${attempt} ${seq}`} className={css.entry}>
          <time dateTime={at}>{clock(at)}</time>
          <span>{text}</span>
        </div>
      ))}
    </div>
  )
}
