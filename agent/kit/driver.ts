import type { OperationInput, OperationName } from '@innkeeper/contract/agent'

/** One operation at work: its checked input, and how it speaks. */
export interface Context<N extends OperationName> {
  input: OperationInput<N>
  /** The action's id: what `notes` and the trash know a thing's maker by. The same for each attempt. */
  actionId: number
  task: 'run' | 'undo'
  /** A line for the people who watch. */
  say(text: string): void
  /** Called before each effect; throws when this attempt may have been given to somebody else. */
  fence(): void
}

/** Whether it took effect shows later: the answer is *unknown*, and whoever takes it next looks first. */
export class NotYetKnown extends Error {}

/** Each of the three may be repeated at any time, and may follow a `run` or `undo` that was killed at any point. */
export interface Driver<N extends OperationName> {
  /** Makes it so; answers what people may want to read about it. */
  run(context: Context<N>): Promise<unknown>
  /** Takes back what `run` of this very action made, and no more. */
  undo(context: Context<N>): Promise<unknown>
  /** Has `context.task` taken effect? `unknown` is an honest answer: then people decide. */
  inspect(context: Context<N>): Promise<'yes' | 'no' | 'unknown'>
}
export type Drivers = { [N in OperationName]: Driver<N> }
