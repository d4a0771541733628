import { operations } from '@innkeeper/contract/agent/operations'
import type { Lane } from '@innkeeper/contract/machines/workflows'
import type * as z from 'zod'
import type { App } from '../app/app.ts'

/** Context of an action without a server. Actions with a server run on its agent. */
export interface Work {
  app: App
  task: 'run' | 'undo'
  /** Reports a line of progress, shown live on the screen. */
  say(text: string): void
  /** Aborted when this node stops, or when another worker may have taken the attempt. */
  signal: AbortSignal
  /** Call right before an effect: throws if another worker may have taken the attempt. */
  fence(): void
}

interface Words<I> {
  title: string
  /** Describes the effect of this input in one line: `PHP 8.2, 4 workers, own socket`. */
  what(input: I): string
  /** Default: short. */
  lane?: Lane
}

/** An action that the worker runs. It has to be idempotent, like the operation of a driver. */
interface OwnWork<I> {
  run(input: I, work: Work): Promise<unknown>
  /** Absent: the action has no undo. */
  undo?(input: I, work: Work): Promise<unknown>
  /** Tells whether `work.task` took effect, after an attempt that never reported. Absent: the action runs again. */
  inspect?(input: I, work: Work): Promise<'yes' | 'no' | 'unknown'>
  /**
   * Why people cannot roll back the workflow once this action is done, and what they do instead: an undo would lose what
   * others have written since.
   */
  noWayBack?: string
}

export interface Action<S extends z.ZodObject = z.ZodObject> {
  name: string
  schema: S
  title: string
  lane: Lane
  what(input: z.output<S>): string
  own?: OwnWork<z.output<S>>
}

const known = new Map<string, Action>()

/**
 * Defines an action, once per name. Name and schema of an agent's operation come from the contract; an action of the
 * worker has `run`. Stored plans outlive a version: a definition may only gain optional fields; any other change needs
 * a new name.
 */
export function action<S extends z.ZodObject>(
  name: string,
  schema: S,
  options: Words<z.output<S>> & Partial<OwnWork<z.output<S>>>,
): Action<S> {
  const { title, what, lane = 'short', run, undo, inspect, noWayBack } = options
  if (known.has(name)) throw new Error(`the action ${name} is defined twice`)
  if (!run && !(name in operations)) throw new Error(`no agent can ${name}, and it brings no run of its own`)
  const defined: Action<S> = { name, schema, title, lane, what, ...(run && { own: { run, undo, inspect, noWayBack } }) }
  known.set(name, defined as unknown as Action) // stored for any input; `readInput` validates against the schema
  return defined
}

export const ownWork = (name: string): OwnWork<Record<string, unknown>> | undefined => known.get(name)?.own

/** Why people cannot roll back a workflow with these actions; undefined if they can. */
export const noWayBack = (actions: readonly { name: string; status: string }[]): string | undefined =>
  actions.flatMap(({ name, status }) => (status === 'done' ? (ownWork(name)?.noWayBack ?? []) : []))[0]

/** Schema of an action; undefined if this version does not know the name. */
export const schemaOf = (name: string): z.ZodObject | undefined =>
  known.get(name)?.schema ?? (name in operations ? operations[name as keyof typeof operations] : undefined)

export interface Resource {
  type: string
  id: number
  name: string
}

/** One step of a plan: shown before the start, stored with the workflow. */
export interface PlanStep {
  name: string
  title: string
  what: string
  lane: Lane
  input: Record<string, unknown>
  serverId: number | null
  resource: Resource
  /** `excludeActions` can leave out this step. */
  optional: boolean
}

/** A value that is encrypted at rest and filled in when the action is claimed. */
export interface SecretReference {
  $secret: string
}
export const secret = (name: string): SecretReference => ({ $secret: name })
export const isSecret = (value: unknown): value is SecretReference =>
  typeof value === 'object' && value !== null && '$secret' in value && typeof value.$secret === 'string'

/**
 * The output of an earlier action of the workflow, for example an opened port. Filled in when this action is claimed.
 */
export interface OutputReference {
  $output: string
  of: { name: string; resourceType: string; resourceId: number }
  /** Taken if the earlier action did not answer, for example because people skipped it. Absent: the action is blocked. */
  otherwise?: unknown
}
export const outputOf = (
  { name, resource }: Pick<PlanStep, 'name' | 'resource'>,
  field: string,
  otherwise?: unknown,
): OutputReference => ({
  $output: field,
  of: { name, resourceType: resource.type, resourceId: resource.id },
  ...(otherwise !== undefined && { otherwise }),
})
export const isOutput = (value: unknown): value is OutputReference =>
  typeof value === 'object' && value !== null && '$output' in value && 'of' in value

/** A setting of the installation, filled in when the action is claimed. */
export interface SettingReference {
  $setting: 'privateTargets'
}
export const setting = ($setting: SettingReference['$setting']): SettingReference => ({ $setting })
export const isSetting = (value: unknown): value is SettingReference =>
  typeof value === 'object' && value !== null && '$setting' in value && value.$setting === 'privateTargets'

const isReference = (value: unknown) => isSecret(value) || isOutput(value) || isSetting(value)
export type OrReference<T> = { [K in keyof T]: T[K] | SecretReference | OutputReference | SettingReference }

/** Validates an input that may have references in the place of values. Throws a ZodError otherwise. */
export function checkInput<S extends z.ZodObject>(schema: S, input: OrReference<z.input<S>>): z.output<S> {
  const read = schema.safeParse(input)
  const other = read.error?.issues.filter(({ path }) => !within(input, path).some(isReference)) ?? []
  if (read.error && other.length) throw read.error
  // apart from references, the input has the type of the schema's output
  return (read.data ?? input) as z.output<S>
}

/** Builds a step of a plan. Throws a ZodError if the input violates the action's schema, before anything is stored. */
export function step<S extends z.ZodObject>(
  { name, title, lane, schema, what }: Action<S>,
  input: OrReference<z.input<S>>,
  on: { server?: number | null; resource: Resource; optional?: boolean },
): PlanStep {
  const kept = checkInput(schema, input)
  return {
    name,
    title,
    what: what(kept),
    lane,
    input: kept as Record<string, unknown>, // the output of a ZodObject has string keys
    serverId: on.server ?? null,
    resource: on.resource,
    optional: on.optional ?? false,
  }
}

/** Returns the value at each prefix of the path: a reference may replace an object and is itself an object. */
const within = (input: unknown, path: PropertyKey[]): unknown[] =>
  path.map((_, at) => path.slice(0, at + 1).reduce(into, input))
const into = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
