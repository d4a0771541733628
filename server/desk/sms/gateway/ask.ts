import { NotReached } from '../../../kit/outgoing/notReached.ts'
import type { Reach } from '../../../kit/outgoing/reach.ts'
import { send } from '../../../kit/outgoing/send.ts'

const PATIENCE_MS = 15_000
const READ_BYTES = 4096

export interface Asked {
  url: URL
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}
/** `before`: the gateway did not get the request. `after`: the gateway may have processed the request. */
export type Heard = { status: number; text: string } | { failed: 'before' | 'after'; reason: string }

/** Sends a request to the gateway. Reads the beginning of its answer. */
export async function ask(reach: Reach, asked: Asked): Promise<Heard> {
  try {
    return await send(reach, { ...asked, patienceMs: PATIENCE_MS, mostBytes: READ_BYTES, longer: 'cut' })
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    return { failed: error.sent ? 'after' : 'before', reason: `The gateway gave ${error.message}` }
  }
}

/**
 * Answers to our account, our address or the request as such, whatever the message is: not signed in, not paid, not allowed,
 * no such page, a form that the gateway does not take, and redirects, which are not followed.
 */
export const isAboutUs = (status: number): boolean =>
  [401, 402, 403, 404, 405, 406, 407, 410, 411, 415, 417, 421, 426, 428, 431, 451].includes(status) ||
  (status >= 300 && status < 400)

/** Answers of a gateway that has no time now. */
export const isBusy = (status: number): boolean => [408, 423, 425, 429].includes(status)
