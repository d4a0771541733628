import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { qcApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { ReviewView } from '../reviews/ReviewView.tsx'

/** Reviews the chat of the address; without one, the reviewer's open chat, else the next one of the queue. */
export default function ChatReviewScreen() {
  const { chat } = useSearch({ strict: false })
  const navigate = useNavigate()
  const paths = usePaths()
  const asked = chat && /^\d{1,9}$/.test(chat) ? Number(chat) : undefined
  const last = useQuery({ ...qcApi.lastChat.query(), enabled: asked === undefined })
  const onNext = (next: number | null) =>
    next === null
      ? navigate({ to: paths.chatQueue })
      : navigate({ to: paths.reviewChat, search: { chat: String(next) } })
  const found = asked === undefined ? last.data?.chat?.id : undefined
  // the address names the chat from then on: the next answer may name another one, while somebody writes about this one
  useEffect(() => {
    if (found !== undefined) void navigate({ to: '.', search: { chat: String(found) }, replace: true })
  }, [found, navigate])
  const id = asked ?? found
  if (id !== undefined) return <ReviewView kind="chat" id={id} onNext={onNext} />
  return (
    <Screen query={last}>
      <EmptyState title="Nothing waits for a review" tag="CH">
        The queue of chats is empty, or other reviewers have opened all of its items.
      </EmptyState>
    </Screen>
  )
}
