import { workflow } from '../workflows.ts'
import { kindOf } from './choose.ts'
import type { Subject } from './kinds.ts'
import { playRound, type Round } from './round.ts'
import { inWords, type Storm, type Summary, summaryOf } from './storm.ts'
import { calmly, find } from './workflows.ts'
import type { World } from './world.ts'

/** The work on backups that people rely on. */
const kinds = [
  ...['backup.run', 'backup-server.prune', 'backup-server.forget', 'website.restore-backup', 'backup.drill'],
  ...['backup-repository.maintain', 'backup-repository.copy'],
]
/** Actions that run restic, and for which alone it matters that restic or rest-server is killed. */
const withRestic = /^backup-(?!account|server|program)|^restore-(files.prepare|dump|mail.prepare)/
const victims = ['restic', 'the agent', 'rest-server', 'the API', 'the worker'].map((name) => `kill -9 of ${name}`)

/**
 * Strikes each action of each kind with each fault, while the action runs. All rounds use one website, which is whole
 * after each of them. `only`: numbers of actions, from 1.
 */
export async function everyStep(world: World, wanted: Storm, say: (line: string) => void): Promise<Summary> {
  const { seed, kind = kinds, fault = victims, only, stop } = wanted
  const [server] = world.servers
  if (!server) throw new Error('There is no server')
  const subject: Subject = { name: `steps${seed}`, server }
  const played: Round[] = []
  const violations: string[] = []
  for (const one of kind)
    for (const victim of fault)
      for (let [step, names] = [0, await plans(world, one, subject)]; step < names.length; step++) {
        if (stop?.aborted) return summaryOf(played, violations)
        if (only && !only.includes(step + 1)) continue
        if (/rest/.test(victim) && !withRestic.test(names[step] ?? '')) continue
        const head = `${one} step ${step + 1} of ${names.length}`
        try {
          const round = await playRound(world, seed, played.length + 1, { kind: one, fault: victim, step, subject })
          played.push(round)
          say(`${head}: ${inWords(round)}`)
          for (const line of round.violations) say(`  VIOLATION ${line}`)
          violations.push(...round.violations.map((line) => `${head}, ${victim}: ${line}`))
        } catch (error) {
          const reason =
            error instanceof Error ? `${error.stack}${error.cause ? `\n${error.cause}` : ''}` : String(error)
          say(`${head}, ${victim}: ${reason}`)
          violations.push(`${head}, ${victim}: ${reason}`)
          return summaryOf(played, violations) // the next round requires an intact world
        }
      }
  return summaryOf(played, violations)
}

/** The names of the actions of a kind, from its last workflow or from one without a fault. */
async function plans(world: World, kind: string, subject: Subject): Promise<string[]> {
  const id = (await find(world, kind, subject, 0)) ?? (await calm(world, kind, subject))
  return (await workflow(world.api, id)).actions.map(({ name }) => name)
}
async function calm(world: World, kind: string, subject: Subject): Promise<number> {
  await kindOf(kind).prepare?.(world, subject, new Map())
  await calmly(world, kind, subject, new Map())
  return (await find(world, kind, subject, 0)) ?? 0
}
