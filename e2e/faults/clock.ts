import { globSync } from 'node:fs'
import type { Fault } from './fault.ts'

const faketime = () => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

/** As a restart on a machine whose clock is wrong; the monotonic clock goes on as it should. */
export function skewed(which: 'api' | 'worker'): Fault {
  return {
    weight: 1,
    absent: () => (faketime() ? undefined : 'Debian’s libfaketime is not installed'),
    async strike({ world, d }) {
      const FAKETIME = d.pick(['+1h', '-1h'])
      await world[which].kill()
      await world[which].start({ LD_PRELOAD: faketime() ?? '', FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1' })
      return {
        about: FAKETIME,
        lasts: 15_000,
        async mend() {
          await world[which].kill()
          await world[which].start()
        },
      }
    },
  }
}
