import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import type { ActionType, WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import type { Permission } from '@innkeeper/contract/permissions/services'
import { Progress, Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ago, lasting } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { ActionList } from '../../kit/workflow/ActionList.tsx'
import { heldBy } from '../../kit/workflow/actions.ts'
import { stated } from '../../stated.ts'
import { workflowsApi } from './api.ts'

/** Buttons of other domains below a failed action. */
const further = stated()
  .flatMap(({ failedAction }) => failedAction ?? [])
  .map(({ name, load }) => ({ name, Button: lazyPart(load, () => null) }))

/** Permissions that interventions need besides the call's own, by subject. */
const alsoNeeds: Partial<Record<string, Permission>> = {
  server: 'server:server:update',
  plan: 'system-user:plan:update',
  'system-user': 'system-user:user:update',
}

interface Props {
  workflow: WorkflowWithActions
  /** The domain's own call for decisions, if it has one. */
  by?: { call: { endpoint: Endpoint }; update: (update: Update) => Promise<unknown>; domain: string }
}
type Update = { action: number; actionType: ActionType; reason?: string; version: number }

/** A workflow: its progress, its actions, and the interventions for a failed action. */
export function WorkflowPane({ workflow, by }: Props) {
  const lacking = useReason()
  const { id, title, holder, startedAt, status, done, count, version, actions, subjectType } = workflow
  const needed = alsoNeeds[subjectType]
  const also = needed && lacking(needed)
  const act = (action: { id: number }, actionType: ActionType, reason: string) =>
    attempt(() => {
      const update = { action: action.id, actionType, reason: reason || undefined, version }
      return by ? by.update(update) : workflowsApi.update({ id, ...update })
    }, [...(by ? [by.domain] : []), 'workflows', 'websites', 'servers', 'systemUsers', 'plans'])
  return (
    <Section
      title={title}
      hint={`by ${holder}, ${ago(startedAt)}`}
      pad={false}
      aside={<StatusBadge state={status} label={badgeOf(workflow)} />}
    >
      {(status === 'running' || status === 'waiting' || status === 'failed') && (
        <Progress
          radius={0}
          size={3}
          value={(100 * done) / Math.max(1, count)}
          color={`${stateOf(status).colour}.5`}
          aria-label="Progress of the workflow"
        />
      )}
      <ActionList
        actions={actions}
        held={heldBy(workflow, actions)}
        lines={({ id: actionId, attempt }) =>
          workflowsApi.output.query({ id, actionId, attempt: attempt || undefined })
        }
        onAct={act}
        noWayBack={workflow.noWayBack}
        reason={lacking(by?.call ?? workflowsApi.update) ?? also}
        further={({ id: actionId }) => further.map(({ name, Button }) => <Button key={name} actionId={actionId} />)}
      />
      <Text c="dimmed" fz="xs" px={14} py={11} style={{ borderTop: '1px solid var(--ink-line)' }}>
        <Foot workflow={workflow} />
      </Text>
    </Section>
  )
}

const badgeOf = ({ status, done, count }: WorkflowWithActions): string | undefined =>
  status === 'failed' ? 'Stopped' : status === 'running' ? `${done} of ${count}` : undefined

function Foot({ workflow: { status, waitsFor, paused, startedAt, endedAt, undo } }: { workflow: WorkflowWithActions }) {
  const now = useNow(endedAt === null && 1000)
  const since = Date.parse(endedAt ?? now.toISOString()) - Date.parse(startedAt)
  if (paused)
    return <>Paused until somebody resumes it or rolls it back; until then nobody else can start work on this.</>
  if (waitsFor) return <>Waits: {waitsFor}. It continues by itself.</>
  if (status === 'failed')
    return <>Nothing runs. Until somebody decides how it continues, nobody can start other work on this.</>
  if (endedAt)
    return (
      <>
        {status === 'rolled-back' ? 'Rolled back' : 'Took'}{' '}
        {status === 'rolled-back' ? `after ${lasting(since)}` : lasting(since)}.
      </>
    )
  return (
    <>
      {undo ? 'Rolling back' : 'Running'} for {lasting(since)}. You may leave this page.
    </>
  )
}
