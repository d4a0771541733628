import { errorDialog } from '../dialogs/dialogs.ts'
import { readAgain } from './readAgain.ts'

/**
 * Runs one action. A refusal opens the error dialog and returns undefined. In both cases the queries of `domains` are
 * invalidated, because a conflict means that the screen shows old data.
 */
export async function attempt<T>(work: () => Promise<T>, domains: readonly string[]): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    void errorDialog(error)
    return undefined
  } finally {
    void readAgain(domains)
  }
}

/** Like `attempt`, for an action whose answer does not matter: whether the action succeeded. */
export async function succeeds(work: () => Promise<unknown>, domains: readonly string[]): Promise<boolean> {
  return (await attempt(() => work().then(() => true), domains)) ?? false
}
