import type { Feedback } from '@innkeeper/contract/quality/qc/shapes'
import { outcomes } from '@innkeeper/contract/quality/qc/values'
import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Facts, Section, Split } from '../../../kit/frame/Section.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { moment } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { outcomeNames } from '../words.ts'
import { CaseHistory, CaseTalk } from './CaseHistory.tsx'
import { proposedOf } from './proposed.ts'
import { caseState } from './states.ts'
import { useCaseId } from './useCaseId.ts'

/** Keyed by the feedback: an answer that was begun belongs to one case. */
export default function FeedbackScreen() {
  const id = useCaseId()
  return <Case key={id} id={id} />
}

function Case({ id }: { id: number }) {
  const paths = usePaths()
  const query = useQuery(qcApi.feedback.query({ id }))
  const one = query.data
  if (!one) return <Screen query={query}>{null}</Screen>
  const isOver = one.status === 'answered' || one.status === 'closed'
  return (
    <Screen title={one.type === 'dispute' ? 'Dispute' : 'Feedback'} meta={`${one.kind} ${one.externalId}`}>
      <Together>
        <Split
          sideLast
          side={
            <>
              <Section title="Feedback">
                <Facts
                  of={[
                    ['Status', <StatusBadge key="status" {...caseState(one.status)} />],
                    ['Given by', `${one.createdBy.name}, ${moment(one.createdAt)}`],
                    ['About', one.agent?.name ?? 'nobody'],
                    [
                      'Conversation',
                      <LinkTo key="to" to={rowPath(paths[one.kind], one.conversationId)}>
                        {one.subject || one.externalId}
                      </LinkTo>,
                    ],
                    ...proposedOf(one),
                    ...(one.dueAt && !isOver ? [['To be decided by', moment(one.dueAt)] as [string, string]] : []),
                    ...(one.outcome ? [['Outcome', outcomeNames[one.outcome]] as [string, string]] : []),
                  ]}
                />
                <Text dir="auto" mt={12} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {one.content}
                </Text>
              </Section>
              <Section title="Answer" hint={one.answeredBy && `${one.answeredBy.name}, ${moment(one.answeredAt ?? 0)}`}>
                {isOver ? <Given feedback={one} /> : <AnswerForm feedback={one} />}
              </Section>
              <CaseHistory kind={one.kind} id={one.conversationId} />
            </>
          }
        >
          <CaseTalk kind={one.kind} id={one.conversationId} />
        </Split>
      </Together>
    </Screen>
  )
}

/** An answer, which may be taken back unless the dispute ended by itself or has changed its review. */
function Given({ feedback: { id, version, type, answer, outcome, proposes } }: { feedback: Feedback }) {
  const reason = useReason()(qcApi.feedbackStatus)
  const isFinal = type === 'dispute' && (!outcome || outcome === 'withdrawn' || (outcome === 'accepted' && proposes))
  return (
    <Stack gap={10}>
      <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {answer || 'Without a text'}
      </Text>
      {!isFinal && (
        <Group>
          <ActButton
            variant="default"
            reason={reason}
            onClick={() => void attempt(() => qcApi.feedbackStatus({ id, status: 'open', version }), ['qc'])}
          >
            Open again
          </ActButton>
        </Group>
      )}
    </Stack>
  )
}

function AnswerForm({ feedback: { id, version, type, proposes } }: { feedback: Feedback }) {
  const reason = useReason()(qcApi.feedbackStatus)
  const [answer, setAnswer] = useState('')
  const [outcome, setOutcome] = useState<(typeof outcomes)[number]>()
  const isDispute = type === 'dispute'
  const lack = reason ?? (isDispute && !outcome ? 'Choose an outcome' : answer.trim() ? undefined : 'Write an answer')
  const send = () =>
    attempt(
      () => qcApi.feedbackStatus({ id, status: 'answered', answer, ...(outcome && { outcome }), version }),
      ['qc'],
    )
  const Act = lack ? ActButton : Button
  return (
    <Stack gap={10}>
      {isDispute && (
        <Select
          label="Outcome"
          {...(proposes && {
            description: proposes.agent
              ? 'Accepting moves the review to the right person and gives the proposed grades'
              : 'Accepting gives the proposed grades',
            inputWrapperOrder: ['label', 'input', 'description', 'error'] as const,
          })}
          data={outcomes.map((value) => ({ value, label: outcomeNames[value] }))}
          value={outcome ?? null}
          onChange={(next) => setOutcome(outcomes.find((value) => value === next))}
        />
      )}
      <Textarea
        label="Answer"
        autosize
        minRows={3}
        dir="auto"
        value={answer}
        onChange={(event) => setAnswer(event.currentTarget.value)}
      />
      <Group>
        <Act {...(lack && { reason: lack })} onClick={() => void send()}>
          Send answer
        </Act>
      </Group>
    </Stack>
  )
}
