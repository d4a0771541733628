import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { apiOf } from '../api.ts'

interface Next {
  /** The next conversation while the address still names the submitted one. */
  shown: ConversationPage | undefined
  /** The next conversation of the queue, read ahead. */
  hidden: ConversationPage | undefined
  /** Shows the item that the answer to the submission names. */
  show: (id: number | null) => Promise<void>
}

/** Reads the next conversation of the queue ahead, and shows it after the submission. */
export function useNext(kind: Kind, id: number, onNext: (id: number | null) => Promise<void>): Next {
  const api = apiOf(kind)
  const nextId = useQuery(api.next.query({ id })).data?.nextId
  const read = useQuery({ ...api.one.query({ id: nextId ?? 0 }), enabled: typeof nextId === 'number' }).data
  // deferred, because the keys of the present review come first
  const hidden = useDeferredValue(read)
  const [early, setEarly] = useState<{ id: number; painted: () => void }>()
  useEffect(() => early && afterPaint(early.painted), [early])
  const latest = useRef({ hidden, onNext })
  useLayoutEffect(() => {
    latest.current = { hidden, onNext }
  })
  const show = useMemo(
    () => async (next: number | null) => {
      // the address follows after the painting, because the router renders the page again
      if (next !== null && next === latest.current.hidden?.id)
        await new Promise<void>((painted) => setEarly({ id: next, painted }))
      await latest.current.onNext(next)
      setEarly(undefined)
    },
    [],
  )
  return { shown: early && early.id === hidden?.id ? hidden : undefined, hidden, show }
}

/** Calls back after the next frame, or after a short time in a tab that paints no frames. */
function afterPaint(done: () => void) {
  const frame = requestAnimationFrame(() => setTimeout(done))
  const timer = setTimeout(done, 200)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
