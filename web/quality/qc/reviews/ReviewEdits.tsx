import type { ConversationPage, Review } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { nothingChanged } from '../../../kit/form/useCallForm.ts'
import { Skeletons } from '../../../kit/frame/Skeletons.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { clock, moment } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { ScoreSheet } from '../../../kit/score/ScoreSheet.tsx'
import { NA, type Scores, type ScoreType, sumUp } from '../../../kit/score/scores.ts'
import { apiOf } from '../api.ts'
import { Differences, differencesOf } from './ReviewDifferences.tsx'

interface Props {
  kind: Kind
  review: Review
  /** The conversation, whose messages are the evidence. */
  page: ConversationPage
  /** Without it, only the changes are shown. */
  isForm: boolean
  close: () => void
}

/** Former changes of a submitted review, and the form for a new one with a preview of its differences. */
export default function ReviewEdits({ kind, review, page, isForm, close }: Props) {
  const { data } = useQuery(apiOf(kind).reviewEdits.query({ id: review.id }))
  return (
    <Dialog
      opened
      onClose={close}
      size="lg"
      title={isForm ? `Change the review of ${review.agent.name}` : 'Changes of the review'}
    >
      {!data ? (
        <Skeletons />
      ) : isForm ? (
        <Form kind={kind} review={review} page={page} rubric={data.rubric} close={close} />
      ) : (
        <Stack gap={18}>
          {data.items.map(({ id, at, by, changes }) => (
            <Stack key={id} gap={4}>
              <Text c="dimmed" fz="xs">
                {by.name}, {moment(at)}
              </Text>
              <Differences changes={changes} />
            </Stack>
          ))}
          {data.items.length === 0 && <Text c="dimmed">The review has not changed since its submission.</Text>}
        </Stack>
      )}
    </Dialog>
  )
}

const scoresOf = ({ scores }: Review): Scores =>
  Object.fromEntries(
    scores.map(({ typeId, gradeId, comment, evidence }) => [
      typeId,
      { grade: gradeId ?? NA, comment, evidence: evidence.map(String) },
    ]),
  )

interface FormProps extends Omit<Props, 'isForm'> {
  rubric: readonly ScoreType[]
}

function Form({ kind, review, page, rubric, close }: FormProps) {
  const [scores, setScores] = useState(() => scoresOf(review))
  const [comment, setComment] = useState(review.comment)
  const { busy, run } = useAct()
  const [quoted, setQuoted] = useState<string>()
  const quote = page.items.find(({ id }) => String(id) === quoted)
  const nameOf = (id: string) => `message at ${clock(page.items.find((one) => String(one.id) === id)?.at ?? 0)}`
  const { missing, uncommented } = sumUp(rubric, scores)
  const changes = differencesOf(review, rubric, scores, comment)
  const lack = missing.length
    ? `No grade: ${missing.join(', ')}`
    : uncommented.length
      ? `No comment: ${uncommented.join(', ')}`
      : undefined
  const save = () =>
    run(async () => {
      const data = {
        comment,
        scores: Object.entries(scores).map(([type, { grade, comment: why, evidence }]) => ({
          ...{ scoreTypeId: Number(type), comment: why, evidence: evidence.map(Number) },
          gradeId: typeof grade === 'number' ? grade : null,
        })),
      }
      await apiOf(kind).updateReview({ id: review.id, version: review.version, data })
      await readAgain(['qc'])
      toast.success('The review is changed', 'The earlier version is kept.')
      close()
    })
  return (
    <Stack gap={16}>
      <ScoreSheet types={rubric} scores={scores} onChange={setScores} evidence={{ nameOf, onShow: setQuoted }} />
      {quote && (
        <Text c="dimmed" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {quote.author}, {clock(quote.at)}: {quote.body}
        </Text>
      )}
      <Textarea
        label="Comment to the agent"
        autosize
        minRows={2}
        dir="auto"
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <Stack gap={4}>
        <Text fw={600}>What changes</Text>
        <Differences changes={changes} />
      </Stack>
      <Group justify="space-between" gap={8}>
        <Text c="dimmed" fz="xs">
          {lack ??
            (review.statsSentAt ? 'The agent was already notified of the review and is not notified again.' : '')}
        </Text>
        <Group gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            loading={busy}
            reason={lack ?? (changes.length ? undefined : nothingChanged())}
            onClick={() => void save()}
          >
            Change review
          </ActButton>
        </Group>
      </Group>
    </Stack>
  )
}
