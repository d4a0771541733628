import type { Escalation } from '@innkeeper/contract/quality/qc/shapes'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Facts, Section, Split } from '../../../kit/frame/Section.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { moment } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { CaseHistory, CaseTalk } from './CaseHistory.tsx'
import { CasePriority } from './CasePriority.tsx'
import { caseState } from './states.ts'
import { useCaseId } from './useCaseId.ts'

const next = { open: 'in-progress', 'in-progress': 'reviewed', reviewed: 'open' } as const
const verbs = { open: 'Start', 'in-progress': 'Mark reviewed', reviewed: 'Open again' } as const

const EscalationModal = lazyDialog(() => import('./EscalationModal.tsx'))

export default function EscalationScreen() {
  const id = useCaseId()
  const query = useQuery(qcApi.escalation.query({ id }))
  const lacking = useReason()
  const [reason, mayChange] = [lacking(qcApi.escalationStatus), lacking(qcApi.updateEscalation)]
  const [isOpen, setOpen] = useState(false)
  const one = query.data
  if (!one) return <Screen query={query}>{null}</Screen>
  const act = () =>
    attempt(() => qcApi.escalationStatus({ id, status: next[one.status], version: one.version }), ['qc'])
  return (
    <Screen
      title={one.reason}
      meta={`${one.kind} ${one.externalId}`}
      actions={
        <>
          <ActButton variant="default" reason={mayChange} onClick={() => setOpen(true)}>
            Change…
          </ActButton>
          <ActButton reason={reason} onClick={() => void act()}>
            {verbs[one.status]}
          </ActButton>
        </>
      }
    >
      <Together key={id}>
        <Split
          sideLast
          side={
            <>
              <Facing escalation={one} />
              <CaseHistory kind={one.kind} id={one.conversationId} />
            </>
          }
        >
          <CaseTalk kind={one.kind} id={one.conversationId} />
        </Split>
      </Together>
      {isOpen && <EscalationModal escalation={one} close={() => setOpen(false)} />}
    </Screen>
  )
}

/** Who has to do what, and by when. */
function Facing({ escalation: one }: { escalation: Escalation }) {
  const paths = usePaths()
  return (
    <Section title="Escalation">
      <Facts
        of={[
          ['Status', <StatusBadge key="status" {...caseState(one.status)} />],
          ['Priority', <CasePriority key="priority" {...one} />],
          ['Agents', one.agents.map(({ name }) => name).join(', ') || 'none'],
          ['Assignee', one.assignee?.name ?? 'nobody'],
          ['Due', one.dueAt ? moment(one.dueAt) : 'no date'],
          ['Escalated by', `${one.createdBy.name}, ${moment(one.createdAt)}`],
          [
            'Conversation',
            <LinkTo key="conversation" to={rowPath(paths[one.kind], one.conversationId)}>
              {one.subject || one.externalId}
            </LinkTo>,
          ],
        ]}
      />
      {one.description && (
        <Text dir="auto" mt={10}>
          {one.description}
        </Text>
      )}
    </Section>
  )
}
