import type { Website } from '@innkeeper/contract/hosting/websites'
import { letPass } from '../../bin/pass.ts'
import { visit } from '../sites.ts'
import { until } from '../until.ts'
import { workflow } from '../workflows.ts'
import { type Calls, checkHost, checkRows, checkWebsite } from './check.ts'
import { choose, kindOf, throwKind } from './choose.ts'
import { type Dice, dice } from './dice.ts'
import type { Fault } from './fault.ts'
import { faults, throwFault } from './faults.ts'
import type { Subject } from './kinds.ts'
import { goOn, repair } from './repair.ts'
import { keep, prepare } from './sites.ts'
import { watch } from './watch.ts'
import { ask, reach, settle } from './workflows.ts'
import type { Managed, Site, World } from './world.ts'

/** Time limit in ms from the end of the fault until everything has recovered without help. */
const RECOVERY_MS = 10_000
/** The same for a given step, which restic may have to repeat. */
const STEP_RECOVERY_MS = 60_000

export interface Round {
  kind: string
  subject: string
  fault: string
  /** Details of the fault. */
  about: string
  at: string
  outcome: string
  /** Names of the workflow's actions. */
  actions: string[]
  /**
   * Ms from the end of the fault until the workflow had stopped, Innkeeper answered and the host's websites were back.
   */
  recoveryMs: number
  /** Of that, ms until the affected process, network or disk was restored. */
  mendMs: number
  gapMs: number
  visits: number
  violations: string[]
}
interface Plan {
  kind?: string | undefined
  fault?: string | undefined
  light?: boolean | undefined
  /** Other tests run beside: the time of a recovery says nothing. */
  busy?: boolean | undefined
  /** The fault comes while this action of the plan runs, on its server; default: at a random moment. */
  step?: number | undefined
  /** The subject of all rounds; default: a new one. */
  subject?: Subject | undefined
}

/** One workflow and one fault, chosen by seed and round number. `plan` fixes the choice. */
export async function playRound(world: World, seed: number, n: number, plan: Plan = {}): Promise<Round> {
  const d = dice(seed * 1_000_003 + n * 7919)
  const thrown = { kind: throwKind(d, plan.light), fault: throwFault(d) }
  const kind = plan.kind ?? thrown.kind
  const name = plan.fault ?? thrown.fault
  const fault = faults[name]
  if (!fault) throw new Error(`Unknown fault “${name}”`)
  const calls: Calls = new Map()
  await world.api.signIn('admin').then((token) => {
    world.api.token = token // after a jump of the clock by an hour, the previous token may have expired
  })
  // a generator of its own, because the number of draws depends on the current state and must not shift the time of the
  // fault
  const other = dice(seed * 1_000_003 + n * 7919 + 1)
  const { subject, owner, make } = plan.subject
    ? { subject: plan.subject, owner: 0, make: undefined }
    : await choose(world, kind, other, `r${String(n).padStart(4, '0')}.example`)
  if (make) await prepare(world, subject, owner, make, calls)
  await kindOf(kind).prepare?.(world, subject, calls)
  const round = await strike(world, { kind, subject, owner, name, fault, d, calls, step: plan.step, busy: plan.busy })
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
  step: number | undefined
  busy: boolean | undefined
}

async function strike(world: World, scene: Scene): Promise<Round> {
  const { kind, subject, owner, fault, d, calls } = scene
  const { server } = subject
  const { website: change, undoable, waits } = kindOf(kind)
  const violations: string[] = []
  const before: Website | undefined = world.sites.get(subject.name)?.website
  let dark = false
  const others = [...world.sites.values()].filter((site) => site.website.domain !== subject.name)
  let darkened = server
  const watching = watch(others, (site) => dark && site.server === darkened)

  let particulars: string | undefined // set when the fault has begun
  let ended = 0
  let mendMs = 0
  let ending: Promise<unknown> | undefined
  const stops = Promise.withResolvers<void>()
  const hit = async (struck = server) => {
    dark = fault.darkens === true
    darkened = struck
    const { lasts, mend, about } = await fault.strike({ world, server: struck, d })
    particulars = about ?? ''
    ending = Promise.race([letPass(lasts, 'the fault lasts'), stops.promise]).then(async () => {
      ended = performance.now()
      await mend()
      mendMs = Math.round(performance.now() - ended)
    })
    ending.catch(() => {}) // handled below
  }
  // before the call if the fault allows that, during it, at the boundary of an action, or at a random time
  const moments = ['asking', 'ready', 'running', 'running', 'done', 'done', 'random'] as const
  const early = fault.early ? (['before', 'before', 'before'] as const) : []
  const thrown = d.pick([...moments, ...early])
  const moment = scene.step === undefined ? thrown : 'running'
  const k = scene.step ?? d.below(60) // limited to the number of actions in the plan
  const pause = d.below(moment === 'asking' ? 40 : 1500)
  let at = 'the call'
  if (moment === 'before') await hit()
  const id = await ask(world, kind, subject, owner, calls, async () => {
    if (moment === 'asking') await letPass(pause, 'the moment is drawn').then(() => hit())
  })
  const wentOn = waits ? goOn(world, id, calls, () => k % 2 === 0 || particulars !== undefined) : async () => {}
  if (moment === 'before') at = 'before the call'
  else if (moment === 'random') {
    await letPass(pause, 'the moment is drawn')
    at = `${pause} ms`
  } else if (moment !== 'asking') at = await reach(world, id, k, moment)
  if (particulars === undefined) await hit(scene.step === undefined ? server : await serverOf(world, id, k, server))
  settle(world, id).then(
    () => stops.resolve(),
    () => {},
  ) // the workflow may not stop before the fault ends
  const back = (async () => {
    await ending
    await until('Innkeeper answers', async () => (await world.api.call('GET', '/websites')).status === 200)
    if (!fault.darkens) return
    for (const site of others) if (site.server === darkened) await serves(site)
    dark = false
  })()
  const settled = await settle(world, id)
  await back
  const recoveryMs = Math.round(performance.now() - ended)
  if (!scene.busy && recoveryMs > (scene.step === undefined ? RECOVERY_MS : STEP_RECOVERY_MS))
    violations.push(`recovery took ${recoveryMs} ms`)
  if (settled.status === 'failed' && !settled.reason) violations.push('the workflow failed without a reason')
  const verbs = settled.status === 'failed' ? await repair(world, id, undoable, d, calls) : []
  const end = verbs.length ? await settle(world, id) : settled
  await wentOn()

  const state = await keep(world, subject)
  const website = world.sites.get(subject.name)?.website ?? before
  const wanted = change && (end.status === 'done' ? change.after : change.before)
  const seen = wanted === 'trashed' ? 'gone' : wanted // no list shows trashed websites
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
  const actions = (await workflow(world.api, id)).actions.map((action) => action.name)
  return { ...what, at, outcome, actions, visits, recoveryMs, mendMs, gapMs: Math.round(longestGap), violations }
}

/** The server of an action; the worker's own actions have none. */
async function serverOf(world: World, workflowId: number, k: number, other: Managed): Promise<Managed> {
  const [action] = await world.look<{ id: number | null }>(
    'select server_id as id from actions where workflow_id = $1 order by position offset $2 limit 1',
    [workflowId, k],
  )
  return world.servers.find(({ id }) => id === action?.id) ?? other
}

const serves = ({ server, website, state }: Site) =>
  until(`${website.domain} is served again`, async () => {
    const { status } = await visit(server.host.address, website.domain)
    return status === (state === 'active' ? 200 : 503)
  })
