import type { OwnReview } from '@innkeeper/contract/quality/qc/mine'
import { Alert, Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Conversation } from '../../../kit/conversation/LazyConversation.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { Skeletons } from '../../../kit/frame/Skeletons.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { clock, moment } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { qcMineApi } from '../api.ts'
import { messagesOf } from '../conversations/messages.ts'
import css from '../qc.module.css'
import { Differences } from '../reviews/ReviewDifferences.tsx'
import { ScoreLines } from '../reviews/ScoreLines.tsx'
import { scoreText } from '../words.ts'
import { OwnFeedback } from './OwnFeedback.tsx'
import { isProposal, type Proposal, ProposalFields } from './ProposalFields.tsx'

/** The review of the address. Its id is a search parameter, because the path also opens without a review. */
export default function OwnReviewScreen() {
  const { review } = useSearch({ strict: false })
  if (review && /^\d{1,9}$/.test(review)) return <Shown key={review} id={Number(review)} />
  return (
    <Screen>
      <EmptyState title="No review is chosen" tag="MQ">
        Choose one from the list of your reviews.
      </EmptyState>
    </Screen>
  )
}

/** A review of the reader's own work: scores, evidence, and the reader's feedback. */
function Shown({ id }: { id: number }) {
  const query = useQuery(qcMineApi.ownReview.query({ id }))
  const review = query.data
  if (!review && query.error instanceof ApiError && query.error.status === 404) return <Moved id={id} query={query} />
  if (!review) return <Screen query={query}>{null}</Screen>
  return (
    <Screen
      title={review.subject || review.externalId}
      meta={`${scoreText(review.score)}, by ${review.reviewer.name}, ${moment(review.submittedAt)}`}
    >
      <Stack gap={16} maw={820}>
        {review.deletedAt && (
          <Alert color="info" icon={<IconInfoCircle size={16} />} role="status">
            The review was deleted {moment(review.deletedAt)}. It no longer counts.
          </Alert>
        )}
        <Section title="Scores" hint={review.isFailed ? 'a critical type is at 0' : undefined}>
          <ScoreLines scores={review.scores} />
          {review.comment && (
            <Text mt={10} dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
              {review.comment}
            </Text>
          )}
        </Section>
        {review.evidence.length > 0 && (
          <Section title="Evidence" hint="messages that scores point at">
            <Stack gap={12}>
              {review.evidence.map((message) => (
                <div key={message.id}>
                  <Text c="dimmed" fz="xs">
                    {message.author}, {clock(message.at)}, for{' '}
                    {review.scores
                      .filter(({ evidence }) => evidence.includes(message.id))
                      .map(({ typeName }) => typeName)
                      .join(', ')}
                  </Text>
                  <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                    {message.body}
                  </Text>
                </div>
              ))}
            </Stack>
          </Section>
        )}
        {review.changes.length > 0 && (
          <Section title="Changes" hint="of the review after its submission">
            <Stack gap={14}>
              {review.changes.map(({ id: change, at, by, changes }) => (
                <Stack key={change} gap={4}>
                  <Text c="dimmed" fz="xs">
                    {by.name}, {moment(at)}
                  </Text>
                  <Differences changes={changes} />
                </Stack>
              ))}
            </Stack>
          </Section>
        )}
        <OwnConversation review={review} />
        {review.feedbacks.map((feedback) => (
          <OwnFeedback key={feedback.id} feedback={feedback} reviewId={id} />
        ))}
        {!review.deletedAt && <Answer review={review} />}
      </Stack>
    </Screen>
  )
}

/** What the reader wrote about a review that is about somebody else now, with the answers. */
function Moved({ id, query: missing }: { id: number; query: UseQueryResult }) {
  const query = useQuery(qcMineApi.ownFeedbacks.query({ id }))
  const items = query.data?.items
  const [first] = items ?? []
  if (query.error) return <Screen query={missing}>{null}</Screen>
  if (!items || !first) return <Screen query={query}>{null}</Screen>
  return (
    <Screen title={first.subject || 'Former review'} meta={`${first.kind} ${first.externalId}`}>
      <Stack gap={16} maw={820}>
        <Alert color="info" icon={<IconInfoCircle size={16} />} role="status">
          The review is no longer about you. It does not count for you.
        </Alert>
        {items.map((feedback) => (
          <OwnFeedback key={feedback.id} feedback={feedback} reviewId={id} />
        ))}
      </Stack>
    </Screen>
  )
}

/** The whole conversation, loaded when the agent asks for it. */
function OwnConversation({ review: { id, subject, externalId } }: { review: OwnReview }) {
  const [isShown, setShown] = useState(false)
  const { data } = useQuery({ ...qcMineApi.ownConversation.query({ id }), enabled: isShown })
  return (
    <Section title="Conversation">
      {!isShown ? (
        <Group>
          <Button variant="default" size="xs" onClick={() => setShown(true)}>
            Show conversation
          </Button>
        </Group>
      ) : data ? (
        <div className={css.within}>
          <Conversation label={subject || externalId} messages={messagesOf(data)} />
        </div>
      ) : (
        <Skeletons />
      )}
    </Section>
  )
}

function Answer({ review }: { review: OwnReview }) {
  const { id, disputableUntil } = review
  const [proposes, setProposes] = useState<Proposal>({})
  const [feedback, setFeedback] = useState('')
  const [isDispute, setDispute] = useState(false)
  const { busy, run } = useAct()
  const send = () =>
    run(async () => {
      await qcMineApi.answerReview({
        ...{ id, feedback, type: isDispute ? 'dispute' : 'feedback' },
        ...(isDispute && isProposal(proposes) && { proposes }),
      })
      toast.success(isDispute ? 'The review is disputed' : 'Your feedback is sent')
      setFeedback('')
      setDispute(false)
      setProposes({})
      await readAgain(['qc'])
    })
  const Act = feedback.trim() ? Button : ActButton
  return (
    <Section title="Your answer">
      <Stack gap={12}>
        <Textarea
          label="What you think of the review"
          autosize
          minRows={3}
          dir="auto"
          value={feedback}
          onChange={(event) => setFeedback(event.currentTarget.value)}
        />
        <Checkbox
          label="Dispute: ask for a change of the review"
          description={
            disputableUntil
              ? `Possible until ${moment(disputableUntil)}`
              : 'Disputed already since its grades last became worse, or the time for it is over'
          }
          disabled={!disputableUntil}
          checked={isDispute}
          onChange={(event) => setDispute(event.currentTarget.checked)}
        />
        {isDispute && <ProposalFields review={review} value={proposes} onChange={setProposes} />}
        <Group>
          <Act loading={busy} {...(!feedback.trim() && { reason: 'Write an answer' })} onClick={() => void send()}>
            {isDispute ? 'Dispute review' : 'Send feedback'}
          </Act>
        </Group>
      </Stack>
    </Section>
  )
}
