import type { Feedback } from '@innkeeper/contract/quality/qc/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { useSession } from '../../../kit/access/session.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { moment } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcMineApi } from '../api.ts'
import { proposedOf } from '../cases/proposed.ts'
import { caseState } from '../cases/states.ts'
import { outcomeNames } from '../words.ts'

/** Feedback on the reader's review, or their dispute of it, with what they asked for and the answer. */
export function OwnFeedback({ feedback, reviewId }: { feedback: Feedback; reviewId: number }) {
  const me = useSession()
  const { type, status, outcome, content, createdBy, createdAt, dueAt, answer, answeredAt, answeredBy } = feedback
  const isDispute = type === 'dispute'
  const isOpen = status === 'open' || status === 'in-progress'
  const proposed = proposedOf(feedback)
  return (
    <Section title={isDispute ? 'Dispute' : 'Feedback'} hint={`${createdBy.name}, ${moment(createdAt)}`}>
      <Stack gap={8}>
        <Group gap={8}>
          <StatusBadge {...caseState(status)} />
          {outcome && <Text fw={450}>{outcomeNames[outcome]}</Text>}
        </Group>
        <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {content}
        </Text>
        {proposed.length > 0 && <Facts of={proposed} />}
        {dueAt && isOpen && (
          <Text c="dimmed" fz="xs">
            To be decided by {moment(dueAt)}
          </Text>
        )}
        {answer && (
          <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {answer}
          </Text>
        )}
        {answeredAt && (
          <Text c="dimmed" fz="xs">
            {answeredBy?.name ?? 'Somebody who was removed'}, {moment(answeredAt)}
          </Text>
        )}
        {isDispute && isOpen && createdBy.id === me.id && (
          <Group>
            <ActButton variant="default" size="xs" onClick={() => void withdraw(reviewId)}>
              Withdraw…
            </ActButton>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

async function withdraw(id: number) {
  const sure = await confirm({
    title: 'Withdraw the dispute?',
    text: 'The review stays as it is. You may dispute it again until the time for it is over.',
    verb: 'Withdraw dispute',
  })
  if (sure && (await succeeds(() => qcMineApi.withdrawDispute({ id }), ['qc'])))
    toast.success('The dispute is withdrawn')
}
