import { spawnSync } from 'node:child_process'
import { programVersion } from '../kit/app/serverFolder.ts'
import { readSettings } from '../kit/app/settings.ts'
import { readyAt, workerReadyAt } from './ready.ts'

/** Prints what runs on this machine and whether it is ready. Answers 1 if something is not. */
export async function status(environment: Record<string, string>): Promise<number> {
  console.log(`innkeeper ${programVersion}`)
  if (!environment.INNKEEPER_KEY) {
    console.log('Nothing is set up yet: innkeeper setup')
    return 1
  }
  const settings = readSettings(environment, [])
  const listed = spawnSync(
    'systemctl',
    ['list-units', '--all', '--plain', '--no-legend', '--full', 'innkeeper-*.service'],
    { encoding: 'utf8' },
  )
  const found = listed.stdout.split('\n').flatMap((line) => {
    const [unit, , active, sub] = line.trim().split(/\s+/)
    return unit && active ? [{ unit, active, sub }] : []
  })
  for (const { unit, active, sub } of found) console.log(`${unit}  ${active} (${sub})`)
  if (!found.length) console.log('No service has been started: innkeeper setup starts them')
  const runs = (part: string) => found.some(({ unit, active }) => unit.includes(part) && active === 'active')
  const asked: [string, string | undefined][] = []
  if (runs('api@') || runs('single')) asked.push(['API', await readyAt(settings)])
  if (runs('worker')) asked.push(['worker', await workerReadyAt(settings.workerPort ?? WORKER_PORT)])
  for (const [part, problem] of asked) console.log(`${part}: ${problem ?? 'ready'}`)
  return found.length && found.every(({ active }) => active === 'active') && asked.every(([, bad]) => !bad) ? 0 : 1
}

/** The port that the unit of the worker sets. */
const WORKER_PORT = 4404
