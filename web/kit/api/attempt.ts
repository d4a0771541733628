import { errorDialog } from '../dialogs/dialogs.ts'
import { readAgain } from './readAgain.ts'

/**
 * Runs one act; a refusal is shown and answers undefined. Either way what is on the screen is read again: after a
 * conflict it is not what the person saw.
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
