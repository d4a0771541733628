import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { apiOf } from '../api.ts'
import { titleOf } from '../conversations/columns.tsx'
import css from '../qc.module.css'
import { ReviewOf } from './ReviewOf.tsx'
import { Shown } from './shown.tsx'
import { useNext } from './useNext.ts'
import { useRubric } from './useReview.ts'

interface Props {
  kind: Kind
  id: number
  /** Opens the next item of the queue, or the queue if nothing waits. */
  onNext: (id: number | null) => Promise<void>
}

/**
 * The review of one chat or ticket. The review of the next one is already laid out and hidden, so that "Submit
 * and next" only has to show it (decision 108).
 */
export function ReviewView({ kind, id, onNext }: Props) {
  const query = useQuery(apiOf(kind).one.query({ id }))
  const rubric = useRubric(kind)
  const { shown = query.data, hidden, show } = useNext(kind, id, onNext)
  const layers = useRef<HTMLDivElement>(null)
  // the browser lays skipped content out only for questions about its size
  useEffect(() => {
    if (hidden) for (const layer of layers.current?.children ?? []) layer.firstElementChild?.getBoundingClientRect()
  }, [hidden])
  if (!shown || !query.data || !rubric) return <Screen query={query}>{null}</Screen>
  const pages = [query.data, ...(hidden && hidden.id !== id ? [hidden] : [])]
  return (
    <Screen bare title={titleOf(shown)}>
      <div ref={layers} className={css.layers}>
        {pages.map((page) => (
          <div key={page.id} className={css.layer} data-hidden={page.id !== shown.id || undefined}>
            <Shown value={page.id === shown.id}>
              <ReviewOf kind={kind} page={page} rubric={rubric} onNext={show} />
            </Shown>
          </div>
        ))}
      </div>
    </Screen>
  )
}
