import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { partsLoading } from './lazyScreen.tsx'
import { SkeletonLines } from './Skeletons.tsx'
import css from './Together.module.css'

/** Milliseconds after which blocks are shown although some still load, if each of these shows a skeleton meanwhile. */
const LONGEST = 2500
/** Milliseconds after which everything is shown, so that an absent server does not hide the page. */
const LATEST = 10_000
/** What blocks show in the place of content that loads; the stylesheet has the same selector. */
const LOADING = '[aria-busy="true"], [aria-label="Loading"], .mantine-Skeleton-root'
const STEP = 40
const CALM = 2

/**
 * Shows its blocks at once, when each has its first rows: a block that arrives late would push the ones below. Until
 * then the blocks have their places and are invisible. With a slow server they are shown from the top on: what stands
 * below a skeleton stays invisible until its content has arrived. `gutter`: the blocks reach the edges of the sheet.
 */
export function Together({ children, gutter }: { children: ReactNode; gutter?: boolean }) {
  const client = useQueryClient()
  const [shown, setShown] = useState(false)
  const [settled, setSettled] = useState(false)
  const blocks = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const begun = Date.now()
    let calm = 0
    const timer = setInterval(() => {
      // a block may ask for more once it has its first answer
      const loads = client.isFetching({ predicate: ({ state }) => state.status === 'pending' }) + partsLoading()
      calm = loads ? 0 : calm + 1
      const waited = Date.now() - begun
      const isMarked = loads <= (blocks.current?.querySelectorAll(LOADING).length ?? 0)
      if (calm < CALM && waited < (isMarked ? LONGEST : LATEST)) return
      setShown(true)
      if (calm < CALM) return
      setSettled(true)
      clearInterval(timer)
    }, STEP)
    return () => clearInterval(timer)
  }, [client])
  return (
    <>
      {!shown && (
        <div className={css.waiting}>
          <div style={gutter ? { padding: '0 var(--ink-gutter)' } : undefined}>
            <SkeletonLines />
          </div>
        </div>
      )}
      <div ref={blocks} className={css.blocks} data-waiting={!shown || undefined} data-settling={!settled || undefined}>
        {children}
      </div>
    </>
  )
}
