import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { Drawer, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { SkeletonLines } from '../../../kit/frame/Skeletons.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { kitWords } from '../../../kit/look/texts.ts'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import { leavesApi } from '../api.ts'
import { leaveTexts } from '../texts.ts'
import { daysWords, kindWords, partWords, rangeWords, stateOfLeave } from '../words.ts'
import { Cancel } from './Cancel.tsx'
import { Coverage } from './Coverage.tsx'
import { DocumentLink } from './DocumentLink.tsx'
import { historyOf } from './history.ts'
import { Review } from './Review.tsx'
import { useShownLeave } from './useShownLeave.ts'

/** A leave in a drawer over its list: the request, its effect on the team, and the actions. */
export function LeaveDrawer() {
  const { id, close } = useShownLeave()
  return (
    <Drawer
      opened={id !== undefined}
      onClose={close}
      position="right"
      size={460}
      title={leaveTexts().leave}
      closeButtonProps={{ 'aria-label': kitWords().close }}
    >
      {id !== undefined && <Shown key={id} id={id} close={close} />}
    </Drawer>
  )
}

function Shown({ id, close }: { id: number; close: () => void }) {
  const { data: leave, error } = useQuery(leavesApi.one.query({ id }))
  if (error && !leave) return <ErrorLine error={error} />
  if (!leave) return <SkeletonLines />
  const words = leaveTexts()
  return (
    <Stack gap={16}>
      <Head leave={leave} />
      <Facts of={factsOf(leave)} />
      <Section title={words.history} hint={words.oldestFirst}>
        <Timeline label={words.historyOf} entries={historyOf(leave)} />
      </Section>
      {leave.mayReview && <Team leave={leave} />}
      {leave.mayReview && <Review key={leave.version} leave={leave} close={close} />}
      <Cancel leave={leave} />
    </Stack>
  )
}

const Head = ({ leave }: { leave: LeaveRequest }) => (
  <div>
    <Text fw={600} fz="lg">
      {leave.userName}
    </Text>
    <Text c="dimmed">{leave.departmentName ?? leaveTexts().noDepartment}</Text>
  </div>
)

function factsOf(leave: LeaveRequest): [string, React.ReactNode][] {
  const { days, document } = leave
  const words = leaveTexts()
  const part = partWords(leave)
  return [
    [words.kind, kindWords(leave)],
    [words.when, `${rangeWords(leave)}${part ? `, ${part}` : ''}`],
    [words.takes, daysWords(days)],
    [words.state, <StatusBadge key="state" {...stateOfLeave(leave)} />],
    ...(document
      ? ([[words.document, <DocumentLink key="document" id={leave.id} document={document} />]] as [
          string,
          React.ReactNode,
        ][])
      : []),
  ]
}

function Team({ leave }: { leave: LeaveRequest }) {
  const lacking = useReason()(leavesApi.coverage)
  if (lacking) return null
  return (
    <Section title={leaveTexts().theTeam} pad={false}>
      <Coverage leave={leave} />
    </Section>
  )
}
