import { parseArgs } from 'node:util'
import { can } from '@innkeeper/lab/can'
import { packages } from '../../bin/machine.ts'
import { scratch } from '../innkeeper.ts'
import { throughTheApi } from './api.ts'
import { openApiWorld } from './apiWorld.ts'
import type { Wanted } from './cases.ts'
import { atTheDoor } from './door.ts'
import { signInTiming } from './signIn.ts'
import { twoPeople } from './twoPeople.ts'
import { openWorld } from './world.ts'

/**
 * `--seed N --cases M --through api|agent|both` carries out hostile values on a real host. `--timing N` compares the
 * duration of N failed sign-ins of existing and unknown people. `--forms http://localhost:4400 /departments/edit/4 …` has
 * two people save the same forms of a running Innkeeper, with the token in `INNKEEPER_TOKEN`. Exits with 1 on a violation.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '1000' },
    through: { type: 'string', default: 'both' },
    timing: { type: 'string' },
    forms: { type: 'string' },
  },
})
const number = (of: 'seed' | 'cases' | 'timing'): number => {
  const value = values[of] ?? ''
  if (!/^\d{1,9}$/.test(value)) throw new Error(`--${of} takes whole numbers`)
  return Number(value)
}
if (!['api', 'agent', 'both'].includes(values.through)) throw new Error('--through takes api, agent or both')
const wanted = { seed: number('seed'), cases: number('cases') }

const { forms } = values
const runs = forms
  ? [() => twoPeople(forms, process.env.INNKEEPER_TOKEN ?? '', positionals, console.log)]
  : values.timing
    ? [() => signInTiming(number('timing'), console.log)]
    : [
        ...(values.through === 'api' ? [] : [() => on(openWorld, atTheDoor)]),
        ...(values.through === 'agent' ? [] : [() => on(openApiWorld, throughTheApi)]),
      ]
if (!values.timing && !forms) await needHosts()
for (const run of runs) {
  const began = performance.now()
  const { violations, ...figures } = await run()
  const counted = Object.entries(figures).map(([what, count]) => `${what} ${count}`)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log([...counted, `violations ${violations.length}`, `${seconds} s`].join(', '))
  if (violations.length) process.exitCode = 1
}

async function needHosts(): Promise<void> {
  for (const line of packages(['strace'])) console.log(line)
  const verdict = await can(scratch)
  if (verdict.able) return
  console.error(`Practice hosts are not available: ${verdict.reason}`)
  process.exit(1)
}

async function on<W extends { close(): Promise<void> }, S>(
  open: () => Promise<W>,
  tried: (world: W, wanted: Wanted, say: (line: string) => void) => Promise<S>,
): Promise<S> {
  const world = await open()
  const end = () => void world.close().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  try {
    return await tried(world, wanted, console.log)
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end)
    await world.close()
  }
}
