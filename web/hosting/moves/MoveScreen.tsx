import type { MigrationWithDetails } from '@innkeeper/contract/hosting/moves/shapes'
import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section, Split } from '../../kit/frame/Section.tsx'
import { ago, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { WorkflowPane } from '../../machines/workflows/WorkflowPane.tsx'
import { isPlanned } from './acts.ts'
import { movesApi } from './api.ts'
import { Way } from './columns.tsx'
import { MoveButtons } from './MoveActs.tsx'
import { MoveLines } from './MoveLines.tsx'
import { MoveReason } from './MoveReason.tsx'
import { Phases } from './Phases.tsx'
import { Report } from './Report.tsx'
import { Findings } from './wizard/Findings.tsx'
import { freezeText, reasonText } from './words.ts'

export default numbered('id', Move)

function Move({ id }: { id: number }) {
  const query = useQuery(movesApi.one.query({ id }))
  const move = query.data
  return (
    <Screen
      query={query}
      title={move?.domain ?? 'Migration'}
      mono={move !== undefined}
      badge={move && <StatusBadge state={move.status} pill />}
      meta={move && <Meta move={move} />}
      actions={move && <MoveButtons move={move} />}
    >
      {move && (move.type === 'group' ? <OfGroup move={move} /> : <OfWebsite move={move} />)}
    </Screen>
  )
}

const Meta = ({ move }: { move: MigrationWithDetails }) => (
  <>
    <Way {...move} />
    <Dot />
    <Text>
      {move.status === 'waiting'
        ? isPlanned(move)
          ? `begins ${moment(move.beginsAt)}, scheduled by ${move.startedBy}`
          : 'has not begun'
        : `begun ${ago(move.beginsAt ?? move.createdAt)} by ${move.startedBy}`}
    </Text>
    {move.parentId !== null && (
      <>
        <Dot />
        <LinkTo to="/website-migrations/$id" params={{ id: String(move.parentId) }}>
          with its group
        </LinkTo>
      </>
    )}
    {move.reverseOf !== null && (
      <>
        <Dot />
        <LinkTo to="/website-migrations/$id" params={{ id: String(move.reverseOf) }}>
          rolls back move {move.reverseOf}
        </LinkTo>
      </>
    )}
  </>
)

const OfGroup = ({ move }: { move: MigrationWithDetails }) =>
  move.members.length ? (
    <Section title="Websites" hint={`${move.done} of ${move.count} are there`} pad={false}>
      <MoveLines moves={move.members} />
    </Section>
  ) : (
    <Section title="Websites">
      <MoveReason move={move} />
      <Text>
        {move.endedAt
          ? `None of them was moved from ${move.sourceServerName}.`
          : `The websites that the group has on ${move.sourceServerName} when the move begins, one after another.`}
      </Text>
    </Section>
  )

const OfWebsite = ({ move }: { move: MigrationWithDetails }) => (
  <Stack gap={18}>
    <Section title="Phases" pad={false} hint={reasonText(move)}>
      <Phases move={move} />
    </Section>
    <Split side={move.workflow && <Work id={move.id} workflow={move.workflow} />} sideLast>
      <Stack gap={18}>
        <Section title="Visitors">
          <Facts
            of={[
              ['Frozen for', <Freeze key="freeze" move={move} />],
              ['Old server', <Old key="old" move={move} />],
            ]}
          />
        </Section>
        <Report lines={move.report} />
        <Findings findings={move.findings} />
      </Stack>
    </Split>
  </Stack>
)

const Work = ({ id, workflow }: { id: number; workflow: WorkflowWithActions }) => (
  <WorkflowPane
    workflow={workflow}
    by={{
      call: movesApi.updateAction,
      update: ({ action, ...update }) => movesApi.updateAction({ id, action: String(action), ...update }),
      domain: 'moves',
    }}
  />
)

const Freeze = ({ move }: { move: MigrationWithDetails }) => (
  <Text span className="num" fw={500}>
    {move.freezeMs === null ? 'not measured yet' : freezeText(move)}
  </Text>
)

function Old({ move: { status, soakUntil, sourceServerName } }: { move: MigrationWithDetails }) {
  if (status === 'soaking' && soakUntil)
    return (
      <>
        <Mono>{sourceServerName}</Mono> forwards to the new one until {moment(soakUntil)}
      </>
    )
  if (status === 'done') return <>has it only in its trash</>
  return (
    <>
      <Mono>{sourceServerName}</Mono> has everything
    </>
  )
}
