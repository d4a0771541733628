import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'

/** A running operation: its validated input, its log and its fence. */
export interface Context<N extends OperationName> {
  input: OperationInput<N>
  /** The action's id, the same for each attempt. `notes` and the trash record it as the owner of an entry. */
  actionId: number
  task: 'run' | 'undo'
  /** Adds a line to the action's log. */
  say(text: string): void
  /** Called before each effect; throws when the lease of this attempt has expired. */
  fence(): void
  /** Aborted when people have stopped this attempt: its answer no longer counts. Long work ends early. */
  stop: AbortSignal
}

/** Whether the operation took effect shows only later: the answer is `unknown`, and the next attempt inspects first. */
export class NotYetKnown extends Error {}

/** Each method is idempotent, and may follow a `run` or `undo` that was killed at any point. */
export interface Driver<N extends OperationName> {
  /** Applies the operation. Returns output for people to read. */
  run(context: Context<N>): Promise<unknown>
  /** Reverts only the changes that `run` of the same action made. */
  undo(context: Context<N>): Promise<unknown>
  /** Whether `context.task` has taken effect. On `unknown`, a person decides. */
  inspect(context: Context<N>): Promise<'yes' | 'no' | 'unknown'>
}
export type Drivers = { [N in OperationName]: Driver<N> }
