import type { CalibrationPage } from '@innkeeper/contract/quality/qc/calibrations'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Conversation } from '../../../kit/conversation/LazyConversation.tsx'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { SplitPane } from '../../../kit/frame/SplitPane.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { moment } from '../../../kit/look/format.ts'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { ScoreSheet } from '../../../kit/score/ScoreSheet.tsx'
import { noScore, type Scores, type ScoreType, sumUp } from '../../../kit/score/scores.ts'
import { qcCalibrationsApi } from '../api.ts'
import { messagesOf } from '../conversations/messages.ts'
import css from '../qc.module.css'
import { ScoreLines } from '../reviews/ScoreLines.tsx'
import { dataOf } from '../reviews/sheets.ts'
import { useRubric } from '../reviews/useReview.ts'
import { scoreText } from '../words.ts'

export default numbered('calibrationId', CalibrationScreen)

/** A session: the conversation on the left; on the right the reader's own sheet, and all scores once they are revealed. */
function CalibrationScreen({ id }: { id: number }) {
  const query = useQuery(qcCalibrationsApi.calibration.query({ id }))
  const lacking = useReason()
  const { id: reader } = useSession()
  const [active, setActive] = useState(0)
  const [scores, setScores] = useState<Scores>({})
  const session = query.data
  const rubric = useRubric(session?.kind ?? 'chat')
  if (!session || !rubric) return <Screen query={query}>{null}</Screen>
  const own = session.participants.find(({ person }) => person.id === reader)
  const writes = own !== undefined && own.submittedAt === null && session.closedAt === null
  const type = active || (rubric[0]?.id ?? 0)
  const score = scores[type] ?? noScore
  const toggle = (message: string) => {
    const evidence = [...new Set([message]).symmetricDifference(new Set(score.evidence))]
    setScores({ ...scores, [type]: { ...score, evidence } })
  }
  const reason = lacking(qcCalibrationsApi.closeCalibration)
  const end = async () => {
    const sure = await confirm({
      title: 'Close the session?',
      text: 'Everybody sees all scores. Who has not submitted cannot any more.',
      verb: 'Close session',
    })
    if (!sure) return
    await qcCalibrationsApi.closeCalibration({ id })
    await readAgain(['qc'])
  }
  const Act = reason ? ActButton : Button
  return (
    <Screen
      scroll={false}
      title={session.title}
      meta={`${session.kind} ${session.externalId}, by ${session.createdBy.name}`}
      {...(!session.isRevealed && {
        actions: (
          <Act variant="default" {...(reason && { reason })} onClick={() => void end()}>
            Close session
          </Act>
        ),
      })}
    >
      <div className={css.fill}>
        <SplitPane
          name="qc"
          panes={[
            {
              title: 'Conversation',
              content: (
                <Conversation
                  label={session.subject || session.externalId}
                  messages={messagesOf(session)}
                  {...(writes && {
                    marking: {
                      label: `evidence for ${rubric.find((one) => one.id === type)?.name ?? ''}`,
                      marked: new Set(score.evidence),
                      onToggle: toggle,
                    },
                  })}
                />
              ),
            },
            {
              title: 'Scores',
              content: (
                <div className={css.sheet}>
                  {writes ? (
                    <OwnSheet {...{ id, rubric, scores, setScores, active: type, setActive }} />
                  ) : (
                    <Compared session={session} />
                  )}
                </div>
              ),
            },
          ]}
        />
      </div>
    </Screen>
  )
}

interface SheetProps {
  id: number
  rubric: ScoreType[]
  scores: Scores
  setScores: (scores: Scores) => void
  active: number
  setActive: (type: number) => void
}

function OwnSheet({ id, rubric, scores, setScores, active, setActive }: SheetProps) {
  const [comment, setComment] = useState('')
  const { busy, run } = useAct()
  const { missing, uncommented } = sumUp(rubric, scores)
  const lack = missing.length
    ? `No grade: ${missing.join(', ')}`
    : uncommented.length
      ? `No comment: ${uncommented.join(', ')}`
      : undefined
  const send = () =>
    run(async () => {
      const { agents: _, ...data } = dataOf({
        ...{ agents: [{ id: 1, name: '' }], scores: { 1: scores }, tags: [], comment, agentReason: '' },
      })
      // the sheet is of the conversation, not of one agent
      await qcCalibrationsApi.submitCalibration({
        id,
        data: { ...data, scores: (data.scores ?? []).map(({ agentId: __, ...given }) => given) },
      })
      toast.success('Your scores are submitted')
      await readAgain(['qc'])
    })
  return (
    <>
      <ScoreSheet types={rubric} scores={scores} onChange={setScores} active={active} onActivate={setActive} />
      <Stack gap={12} className={css.below}>
        <Textarea
          label="Comment"
          autosize
          minRows={2}
          dir="auto"
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        <Group justify="space-between">
          <Text c="dimmed" fz="xs">
            {lack ?? 'Nobody sees your scores before the session is revealed.'}
          </Text>
          <ActButton loading={busy} reason={lack} onClick={() => void send()}>
            Submit scores
          </ActButton>
        </Group>
      </Stack>
    </>
  )
}

/** Who has submitted, and how much the scores differ. */
function Compared({ session }: { session: CalibrationPage }) {
  return (
    <Stack gap={16} className={css.below}>
      {!session.isRevealed && (
        <Text c="dimmed">
          The scores are revealed when everybody has submitted, or when a manager closes the session.
        </Text>
      )}
      {session.isRevealed && (
        <SectionTable
          label="Agreement by score type"
          edges={false}
          narrow="scroll"
          rows={session.types}
          keyOf={({ typeId }) => typeId}
          columns={[
            { title: 'Score type', cell: ({ typeName }) => typeName },
            {
              title: 'Mean',
              align: 'right',
              width: 80,
              cell: ({ mean }) => <span className="num">{scoreText(mean)}</span>,
            },
            {
              title: 'Range',
              align: 'right',
              width: 80,
              cell: ({ range }) => <span className="num">{range ?? '–'}</span>,
            },
            {
              title: 'Agreement',
              align: 'right',
              width: 100,
              cell: ({ agreement }) => (
                <span className="num">{agreement === null ? '–' : `${Math.round(agreement * 100)} %`}</span>
              ),
            },
          ]}
        />
      )}
      {session.reviews.map(({ person, score, scores, comment }) => (
        <Section key={person.id} title={`${person.name}: ${scoreText(score)}`}>
          <ScoreLines scores={scores} />
          {comment && <Text dir="auto">{comment}</Text>}
        </Section>
      ))}
      <Section title="Invited">
        <Stack gap={4}>
          {session.participants.map(({ person, submittedAt }) => (
            <div key={person.id} className={css.score}>
              <Text>{person.name}</Text>
              <Text c="dimmed">{submittedAt ? moment(submittedAt) : 'not yet'}</Text>
            </div>
          ))}
        </Stack>
      </Section>
    </Stack>
  )
}
