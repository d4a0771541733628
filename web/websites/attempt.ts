import { queryClient } from '../kit/api/queries.ts'
import { errorDialog } from '../kit/dialogs/dialogs.ts'

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
    for (const domain of domains) void queryClient.invalidateQueries({ queryKey: [domain] })
  }
}
