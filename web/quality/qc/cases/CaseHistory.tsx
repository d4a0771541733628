import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import { apiOf } from '../api.ts'
import { historyOf } from '../conversations/history.tsx'

/** Conversation, reviews, feedback and escalations of a case as one timeline. */
export function CaseHistory({ kind, id }: { kind: Kind; id: number }) {
  const reason = useReason()(apiOf(kind).one)
  const { data } = useQuery({ ...apiOf(kind).one.query({ id }), enabled: !reason })
  return (
    <Section title="History">
      {reason ? <Text c="dimmed">{reason}</Text> : data && <Timeline label="History" entries={historyOf(data)} />}
    </Section>
  )
}
