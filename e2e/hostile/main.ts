import { parseArgs } from 'node:util'
import { can } from '@innkeeper/lab/can'
import { packages } from '../../bin/machine.ts'
import { scratch } from '../innkeeper.ts'
import { atTheDoor } from './door.ts'
import { openWorld } from './world.ts'

/** `node e2e/hostile/main.ts --seed N --cases M`: hostile values carried out on a real host. Exits with 1 on a violation. */
const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, cases: { type: 'string', default: '1000' } },
})
const number = (of: 'seed' | 'cases'): number => {
  if (!/^\d{1,9}$/.test(values[of])) throw new Error(`--${of} takes whole numbers`)
  return Number(values[of])
}
const wanted = { seed: number('seed'), cases: number('cases') }
for (const line of packages(['strace'])) console.log(line)
const verdict = await can(scratch)
if (!verdict.able) {
  console.error(`No practice hosts here: ${verdict.reason}`)
  process.exit(1)
}
const world = await openWorld()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void world.close().finally(() => process.exit(1))
  })
try {
  const began = performance.now()
  const { refused, carriedOut, violations } = await atTheDoor(world, wanted, console.log)
  console.log(
    `${refused} refused, ${carriedOut} carried out, ${violations.length} violations, ${Math.round((performance.now() - began) / 1000)} s`,
  )
  if (violations.length) process.exitCode = 1
} finally {
  await world.close()
}
