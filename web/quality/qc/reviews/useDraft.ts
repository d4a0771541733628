import type { ReviewData } from '@innkeeper/contract/quality/qc/conversations'
import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { apiOf } from '../api.ts'

/** Milliseconds without a change, after which the draft is saved. */
const CALM = 800
/** Milliseconds until an unsaved draft is sent again to a server that did not answer. */
const AGAIN = 5000

export interface Draft {
  /** The state of the draft in words. */
  text: string
  hasFailed: boolean
  /** Saves the data soon, and again until the server answers. */
  save: (data: ReviewData) => void
  /** No draft is saved after the submission. */
  stop: () => void
}

/** The stored draft of a review. A failure is a text and no dialog, because a dialog would take the focus and the keys. */
export function useDraft(kind: Kind, { id, draft }: ConversationPage): Draft {
  const [text, setText] = useState<string>()
  const [failed, setFailed] = useState<{ data: ReviewData; isAway: boolean }>()
  const send = useDebouncedCallback(
    async (data: ReviewData) => {
      try {
        await apiOf(kind).saveDraft({ id, data })
        setText('Draft saved')
        setFailed(undefined)
      } catch (error) {
        const isAway = error instanceof ApiError && (error.status === 0 || error.status >= 502)
        setText(`The draft is not saved: ${error instanceof Error ? error.message : error}`)
        setFailed({ data, isAway })
      }
    },
    { delay: CALM, flushOnUnmount: true },
  )
  useEffect(() => {
    if (!failed?.isAway) return
    const timer = setTimeout(() => send(failed.data), AGAIN)
    return () => clearTimeout(timer)
  }, [failed, send])
  return {
    text: text ?? (draft ? 'Draft saved' : 'Nothing is saved yet'),
    hasFailed: failed !== undefined,
    save(data) {
      setText('Saving the draft')
      setFailed(undefined)
      send(data)
    },
    stop() {
      setFailed(undefined)
      send.cancel()
    },
  }
}
