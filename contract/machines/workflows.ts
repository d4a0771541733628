import * as z from 'zod'
import { csv, filter, get, id, instant, listQuery, pageOf, patch, whole } from '../kit/endpoint.ts'

/**
 * A workflow is an unchangeable plan of actions. An action is a unit of work on one server, and the row of the job
 * queue.
 */
export const workflowStatus = z.enum(['running', 'waiting', 'failed', 'done', 'rolled-back', 'cancelled'])
export const actionStatuses = [
  'pending',
  'ready',
  'running',
  'done',
  'failed',
  'skipped',
  'undone',
  'blocked',
  'unknown',
] as const
export const actionStatus = z.enum(actionStatuses)
export const lane = z.enum(['short', 'long', 'read'])
export type WorkflowStatus = z.output<typeof workflowStatus>
export type ActionStatus = z.output<typeof actionStatus>
export type Lane = z.output<typeof lane>

export const Action = z.object({
  id: z.int(),
  workflowId: z.int(),
  position: z.int(),
  name: z.string(),
  title: z.string(),
  /** Summary of the action: `PHP 8.2, 4 workers, own socket`. */
  what: z.string(),
  resourceType: z.string(),
  resourceId: z.int(),
  serverId: z.int().nullable(),
  serverName: z.string().nullable(),
  lane,
  status: actionStatus,
  task: z.enum(['run', 'undo']),
  attempt: z.int(),
  reason: z.string().nullable(),
  input: z.record(z.string(), z.unknown()),
  output: z.unknown(),
  readyAt: instant.nullable(),
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** What a roll back of the workflow loses. */
  undoLoses: z.string().optional(),
})
export type Action = z.output<typeof Action>

export const Workflow = z.object({
  id: z.int(),
  kind: z.string(),
  title: z.string(),
  /** Domain and id of the object, for example `website` 12, and its name. */
  subjectType: z.string(),
  subjectId: z.int(),
  subjectName: z.string(),
  status: workflowStatus,
  undo: z.boolean(),
  holder: z.string(),
  startedById: z.int().nullable(),
  /** Reason of waiting, for example that the server does not answer. */
  waitsFor: z.string().nullable(),
  /** True: paused until a person resumes or rolls back. */
  paused: z.boolean(),
  done: z.int(),
  count: z.int(),
  current: z.string().nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  version: z.int(),
})
export type Workflow = z.output<typeof Workflow>
export const WorkflowWithActions = Workflow.extend({
  actions: z.array(Action),
  /** Why people cannot roll back this workflow any more, and what they do instead. */
  noWayBack: z.string().optional(),
})
export type WorkflowWithActions = z.output<typeof WorkflowWithActions>

/**
 * Actions of people on a workflow. `status` of an update is the desired state; an impossible combination answers 422.
 */
export const actionType = z.enum(['retry', 'retry-from', 'skip', 'done', 'rollback', 'resume'])
export type ActionType = z.output<typeof actionType>
export const askedFor: Record<ActionType, ActionStatus> = {
  retry: 'ready',
  'retry-from': 'ready',
  skip: 'skipped',
  done: 'done',
  rollback: 'undone',
  resume: 'ready',
}
export const actionUpdate = {
  actionType,
  status: actionStatus.optional(),
  /** Required for skip and done. */
  reason: z.string().trim().max(500).optional(),
  version: z.int().optional(),
}

export const OutputLine = z.object({ actionId: z.int(), attempt: z.int(), seq: z.int(), at: instant, text: z.string() })
export type OutputLine = z.output<typeof OutputLine>

export const workflows = {
  list: get('/workflows', 'signedIn', {
    tokens: true,
    summary: 'Workflows that the caller may see, for the tray of running tasks',
    query: {
      ...listQuery(['startedAt']),
      status: filter(csv(workflowStatus)),
      subjectType: filter(z.string().max(40)),
      subjectId: filter(id),
      mine: filter(z.stringbool()),
    },
    returns: pageOf(Workflow),
  }),
  one: get('/workflows/:id', 'signedIn', {
    tokens: true,
    summary: 'One workflow with its actions',
    returns: WorkflowWithActions,
  }),
  output: get('/workflows/:id/output', 'signedIn', {
    tokens: true,
    summary: 'Output lines of an action from `after` on',
    query: { actionId: id, attempt: filter(id), after: filter(whole(-1)) },
    returns: z.object({ items: z.array(OutputLine) }),
  }),
  update: patch('/workflows/:id/actions/:action', 'website:orchestrator:update', {
    summary: 'Retry, retry from here, skip with a reason, mark done, roll back or resume',
    body: actionUpdate,
    returns: WorkflowWithActions,
  }),
}
