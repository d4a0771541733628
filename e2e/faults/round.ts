import { setTimeout as sleep } from 'node:timers/promises'
import type { Website } from '@innkeeper/contract/websites'
import { visit } from '../sites.ts'
import { until } from '../until.ts'
import { type Calls, checkHost, checkRows, checkWebsite } from './check.ts'
import { type Dice, dice } from './dice.ts'
import type { Fault } from './fault.ts'
import { faults, throwFault } from './faults.ts'
import { choose, kindOf, type Subject, throwKind } from './kinds.ts'
import { keep, prepare } from './sites.ts'
import { watch } from './watch.ts'
import { ask, goOn, reach, repair, settle } from './workflows.ts'
import type { Site, World } from './world.ts'

/** From the end of the fault until all is whole again without a hand. */
const RECOVERY_MS = 10_000

export interface Round {
  kind: string
  subject: string
  fault: string
  /** Particulars of the fault. */
  about: string
  at: string
  outcome: string
  /** From the end of the fault until the workflow had stopped, Innkeeper answered and the host's websites were back. */
  recoveryMs: number
  /** Of that until what had been struck was started, plugged in or tidied again. */
  mendMs: number
  gapMs: number
  visits: number
  violations: string[]
}
type Plan = { kind?: string | undefined; fault?: string | undefined; light?: boolean | undefined }

/** One workflow and one fault, both thrown by seed and number. `plan` sets what is not to be thrown. */
export async function playRound(world: World, seed: number, n: number, plan: Plan = {}): Promise<Round> {
  const d = dice(seed * 1_000_003 + n * 7919)
  const thrown = { kind: throwKind(d, plan.light), fault: throwFault(d) }
  const kind = plan.kind ?? thrown.kind
  const name = plan.fault ?? thrown.fault
  const fault = faults[name]
  if (!fault) throw new Error(`There is no fault “${name}”`)
  const calls: Calls = new Map()
  await world.api.signIn('admin').then((token) => {
    world.api.token = token // an hour ahead, the one before may have ended
  })
  // dice of its own: how many are thrown depends on what stands, and the moment of the fault shall not
  const other = dice(seed * 1_000_003 + n * 7919 + 1)
  const { subject, owner, make } = await choose(world, kind, other, `r${String(n).padStart(4, '0')}.example`)
  if (make) await prepare(world, subject, owner, make, calls)
  await kindOf(kind).prepare?.(world, subject, calls)
  const round = await strike(world, { kind, subject, owner, name, fault, d, calls })
  round.violations.push(...(await checkRows(world, calls)))
  return round
}

interface Scene {
  kind: string
  subject: Subject
  owner: number
  name: string
  fault: Fault
  d: Dice
  calls: Calls
}

async function strike(world: World, scene: Scene): Promise<Round> {
  const { kind, subject, owner, fault, d, calls } = scene
  const { server } = subject
  const { website: change, undoable, waits } = kindOf(kind)
  const violations: string[] = []
  const before: Website | undefined = world.sites.get(subject.name)?.website
  let dark = false
  const others = [...world.sites.values()].filter((site) => site.website.domain !== subject.name)
  const watching = watch(others, (site) => dark && site.server === server)

  let particulars: string | undefined // once it has struck
  let ended = 0
  let mendMs = 0
  let ending: Promise<unknown> | undefined
  const stops = Promise.withResolvers<void>()
  const hit = async () => {
    dark = fault.darkens === true
    const { lasts, mend, about } = await fault.strike({ world, server, d })
    particulars = about ?? ''
    ending = Promise.race([sleep(lasts), stops.promise]).then(async () => {
      ended = performance.now()
      await mend()
      mendMs = Math.round(performance.now() - ended)
    })
    ending.catch(() => {}) // heard below
  }
  // before the call where that makes sense, as it is under way, at a boundary of an action, or at a random moment
  const moments = ['asking', 'ready', 'running', 'running', 'done', 'done', 'random'] as const
  const moment = d.pick([...moments, ...(fault.early ? (['before', 'before', 'before'] as const) : [])])
  const k = d.below(60) // of as many actions as its plan has
  const pause = d.below(moment === 'asking' ? 40 : 1500)
  let at = 'the call'
  if (moment === 'before') await hit()
  const id = await ask(world, kind, subject, owner, calls, async () => {
    if (moment === 'asking') await sleep(pause).then(hit)
  })
  const wentOn = waits ? goOn(world, id, calls, () => k % 2 === 0 || particulars !== undefined) : async () => {}
  if (moment === 'before') at = 'before the call'
  else if (moment === 'random') {
    await sleep(pause)
    at = `${pause} ms`
  } else if (moment !== 'asking') at = await reach(world, id, k, moment)
  if (particulars === undefined) await hit()
  settle(world, id, 60_000).then(
    () => stops.resolve(),
    () => {},
  ) // it may not stop before it is mended
  const back = (async () => {
    await ending
    await until('Innkeeper answers', 60_000, async () => (await world.api.call('GET', '/websites')).status === 200)
    if (!fault.darkens) return
    for (const site of others) if (site.server === server) await serves(site)
    dark = false
  })()
  const settled = await settle(world, id, 120_000)
  await back
  const recoveryMs = Math.round(performance.now() - ended)
  if (recoveryMs > RECOVERY_MS) violations.push(`it took ${recoveryMs} ms to recover`)
  if (settled.status === 'failed' && !settled.reason) violations.push('it failed without a reason')
  const verbs = settled.status === 'failed' ? await repair(world, id, undoable, d, calls) : []
  const end = verbs.length ? await settle(world, id, 1000) : settled
  await wentOn()

  const state = await keep(world, subject)
  const website = world.sites.get(subject.name)?.website ?? before
  const wanted = change && (end.status === 'done' ? change.after : change.before)
  const seen = wanted === 'trashed' ? 'gone' : wanted // no list shows it
  if (wanted && state !== seen) violations.push(`${subject.name} is ${state} in Innkeeper, not ${wanted}`)
  violations.push(...((await kindOf(kind).check?.(world, subject, end.status === 'done')) ?? []))
  if (wanted && website) violations.push(...(await checkWebsite(website, server, wanted)))
  for (const one of world.servers) violations.push(...(await checkHost(one)))
  const { visits, longestGap, failures } = await watching.stop()
  violations.push(...failures.slice(0, 5))
  const outcome = verbs.length ? `failed (${settled.reason}), ${verbs.join(', ')}: ${end.status}` : end.status
  const what = {
    kind,
    subject: `${subject.name} on ${server.host.name}`,
    fault: scene.name,
    about: particulars ?? '',
  }
  return { ...what, at, outcome, visits, recoveryMs, mendMs, gapMs: Math.round(longestGap), violations }
}

const serves = ({ server, website, state }: Site) =>
  until(`${website.domain} is served again`, 60_000, async () => {
    const { status } = await visit(server.host.address, website.domain)
    return status === (state === 'active' ? 200 : 503)
  })
