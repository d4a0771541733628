import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { Conversation } from '../../../kit/conversation/LazyConversation.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { SkeletonLines } from '../../../kit/frame/Skeletons.tsx'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import { apiOf } from '../api.ts'
import { historyOf } from '../conversations/history.tsx'
import { messagesOf } from '../conversations/messages.ts'
import css from '../qc.module.css'

interface Props {
  kind: Kind
  /** The conversation of the case. */
  id: number
}

function useConversation({ kind, id }: Props) {
  const reason = useReason()(apiOf(kind).one)
  return { reason, ...useQuery({ ...apiOf(kind).one.query({ id }), enabled: !reason }) }
}

/** What stands where the conversation is not there: why, or a skeleton. */
function Instead({ reason, error }: { reason: string | undefined; error: Error | null }) {
  if (reason) return <Text c="dimmed">{reason}</Text>
  return error ? <ErrorLine error={error} /> : <SkeletonLines />
}

/** Conversation, reviews, feedback and escalations of a case as one timeline. */
export function CaseHistory(of: Props) {
  const { reason, error, data } = useConversation(of)
  return (
    <Section title="History">
      {data ? <Timeline label="History" entries={historyOf(data)} /> : <Instead reason={reason} error={error} />}
    </Section>
  )
}

/** The words that the case is about. */
export function CaseTalk(of: Props) {
  const { reason, error, data } = useConversation(of)
  return (
    <Section title={of.kind === 'chat' ? 'Chat' : 'Ticket'} hint={data?.customerName} pad={!data}>
      {data ? (
        <div className={css.talk} data-long={data.messages > 6 || undefined}>
          <Conversation label={of.kind === 'chat' ? 'Chat' : 'Ticket'} messages={messagesOf(data)} />
        </div>
      ) : (
        <Instead reason={reason} error={error} />
      )}
    </Section>
  )
}
