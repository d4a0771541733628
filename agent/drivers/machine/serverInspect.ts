import { heartbeat, lookAgain } from '../../heartbeat.ts'
import type { Driver } from '../../kit/driver.ts'

/** The figures of the heartbeat, read now. */
export const serverInspect: Driver<'server.inspect'> = {
  run() {
    lookAgain()
    return heartbeat()
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
