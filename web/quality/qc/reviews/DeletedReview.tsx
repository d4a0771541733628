import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { Text } from '@mantine/core'
import { useReason } from '../../../kit/access/reasons.ts'
import { session } from '../../../kit/access/session.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago } from '../../../kit/look/format.ts'
import { apiOf } from '../api.ts'
import { scoreText } from '../words.ts'
import { ScoreLines } from './ScoreLines.tsx'

/** A deleted review of a conversation. Restoring it brings its scores back into the statistics. */
export default function DeletedReview({ kind, review }: { kind: Kind; review: Review }) {
  const { id, version, agent, reviewer, score, comment, deletedAt, scores } = review
  const { restoreReview } = apiOf(kind)
  const lacking = useReason()(restoreReview)
  const reason = agent.id === session.user.id ? 'The review is about you: only somebody else can restore it' : lacking
  const restore = async () => {
    if (await attempt(() => restoreReview({ id, version }), ['qc']))
      toast.success('The review is restored', 'Its scores count again. The agent is not notified a second time.')
  }
  return (
    <Section title={`${agent.name}: ${scoreText(score)}`} hint={`Deleted ${ago(deletedAt ?? '')}`}>
      <Text c="dimmed" fz="xs" mb={8}>
        {reviewer.name} wrote this review. A deleted review counts in no statistics.
      </Text>
      <ScoreLines scores={scores} />
      {comment && <Text dir="auto">{comment}</Text>}
      <ActButton variant="default" size="xs" mt={10} reason={reason} onClick={() => void restore()}>
        Restore
      </ActButton>
    </Section>
  )
}
