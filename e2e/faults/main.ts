import { parseArgs } from 'node:util'
import { can } from '@innkeeper/lab/can'
import { packages } from '../../bin/machine.ts'
import { scratch } from '../innkeeper.ts'
import { promotion } from './promotion.ts'
import { everyStep } from './steps.ts'
import { inLines, inOneLine, storm } from './storm.ts'
import { openWorld } from './world.ts'

/**
 * `node e2e/faults/main.ts --seed N --rounds M` runs real workflows with injected faults. `--only 3,7` runs only those
 * rounds, `--kind a,b` and `--fault c,d` fix the kinds and faults in turn, `--light` leaves out kinds that need large
 * packages. Before them, a standby of PostgreSQL is promoted under load; `--promotion` does nothing else. `--steps` strikes each action of each kind with each fault instead of random ones. Exits with 1 on a violation.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '20' },
    only: { type: 'string' },
    kind: { type: 'string' },
    fault: { type: 'string' },
    light: { type: 'boolean', default: false },
    steps: { type: 'boolean', default: false },
    promotion: { type: 'boolean', default: false },
  },
})
const number = (text: string, of: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${of} takes whole numbers`)
  return Number(text)
}
const seed = number(values.seed, 'seed')
const only = values.only?.split(',').map((text) => number(text, 'only'))
const rounds = Math.max(number(values.rounds, 'rounds'), ...(only ?? []))

for (const line of packages(['postgresql-15', 'libfaketime'])) console.log(line)
if (values.promotion || !(values.only || values.kind || values.fault || values.steps)) {
  const violations = await promotion(console.log)
  for (const line of violations) console.log(`VIOLATION ${line}`)
  if (violations.length) process.exitCode = 1
  if (values.promotion) process.exit()
}
const verdict = await can(scratch)
if (!verdict.able) {
  console.error(`Practice hosts are not available: ${verdict.reason}`)
  process.exit(1)
}
const world = await openWorld({ hostMb: values.light ? 400 : 2000 })
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stop.signal.aborted) return // timeout(1) sends the signal twice, and the hosts must be shut down
    console.log('stopping after this round')
    stop.abort()
  })
try {
  const [kind, fault] = [values.kind?.split(','), values.fault?.split(',')]
  const wanted = {
    seed,
    rounds,
    light: values.light,
    stop: stop.signal,
    ...(only && { only }),
    ...(kind && { kind }),
    ...(fault && { fault }),
  }
  const summary = await (values.steps ? everyStep : storm)(world, wanted, console.log)
  for (const line of summary.violations) console.log(`VIOLATION ${line}`)
  for (const line of inLines(summary)) console.log(line)
  console.log(inOneLine(seed, summary))
  if (summary.violations.length) {
    console.log(`Output of Innkeeper:\n${world.api.said.slice(-4000)}${world.worker.said.slice(-4000)}`)
    process.exitCode = 1
  }
} finally {
  await world.close()
}
process.exit() // an interrupted round leaves its visitors running
