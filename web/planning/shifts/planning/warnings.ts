import type { Conflict } from '@innkeeper/contract/planning/shifts/calls'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm, errorDialog } from '../../../kit/dialogs/dialogs.ts'

/** The warnings of a change that was refused only because of warnings; undefined for any other error. */
function warningsOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const { current } = error.body
  if (typeof current !== 'object' || current === null || !('conflicts' in current)) return undefined
  // the answer of the shift calls to a refused plan
  const conflicts = current.conflicts as Conflict[]
  if (!conflicts.length || conflicts.some(({ refuses }) => refuses)) return undefined
  return [...new Set(conflicts.map(({ name, text }) => `${name} ${text}.`))].join('\n')
}

/**
 * Makes a change of a shift. If only warnings stop the change, asks first. The argument of `work` says whether
 * warnings stop the change. Returns undefined if the person cancels.
 */
export async function insist<T>(work: (stopAtWarnings: boolean) => Promise<T>, verb: string): Promise<T | undefined> {
  try {
    return await work(true)
  } catch (error) {
    const text = warningsOf(error)
    if (!text) throw error
    if (!(await confirm({ title: `${verb} anyway?`, text, verb }))) return undefined
    return await work(false)
  }
}

/** Like `insist`, for a grid or a button: a refusal opens the error dialog. */
export async function attemptWarned<T>(
  work: (stopAtWarnings: boolean) => Promise<T>,
  verb: string,
): Promise<T | undefined> {
  try {
    return await insist(work, verb)
  } catch (error) {
    void errorDialog(error)
    return undefined
  } finally {
    void readAgain(['shifts'])
  }
}
