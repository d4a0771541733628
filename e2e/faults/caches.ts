import { addOwner } from '../sites.ts'
import type { Calls } from './check.ts'
import type { Kind, Subject } from './kinds.ts'
import { prepare } from './sites.ts'
import { ask, settle } from './workflows.ts'
import type { World } from './world.ts'

/** The website that the round's cache belongs to: it is made in calm, for this round alone. */
const siteOf = ({ name, server }: Subject): Subject => ({ name: `${name}.example`, server })
function idOf({ sites }: World, subject: Subject): number {
  const id = sites.get(siteOf(subject).name)?.website.id
  if (id === undefined) throw new Error(`${siteOf(subject).name} is not there`)
  return id
}

const enable = async (world: World, subject: Subject) =>
  (await world.api.must('POST', '/redis-cache/enable', { website_id: idOf(world, subject) })).workflowId
const disable = async (world: World, subject: Subject) =>
  (await world.api.must('PATCH', '/redis-cache/disable', { website_id: idOf(world, subject) })).workflowId

/** In calm: a website whose cache is on, or was once, so that Redis is installed and the fault strikes the cache. */
const standing = (steps: string[]) => async (world: World, subject: Subject, calls: Calls) => {
  await prepare(world, siteOf(subject), await addOwner(world.api), 'active', calls)
  for (const step of steps) {
    const id = await ask(world, step, subject, 0, calls, async () => {})
    const { status, reason } = await settle(world, id, 240_000)
    if (status !== 'done') throw new Error(`In calm, ${step} of ${subject.name} came to ${status}: ${reason}`)
  }
}

/** The cache is on in Innkeeper and runs on its host, or neither, and nothing of it is half there. */
async function check(world: World, subject: Subject, on: boolean): Promise<string[]> {
  const { host } = subject.server
  const id = idOf(world, subject)
  const unit = `innkeeper-redis@${id}.service`
  const { redisCache } = await world.api.must('GET', `/websites/${id}/toggles`)
  const runs = (await host.exec(['systemctl', 'is-active', unit])).stdout.trim() === 'active'
  const kept = (await host.exec(['test', '-e', `/etc/systemd/system/${unit}.d`])).code === 0
  const state = [redisCache, runs, kept].join()
  return state === [on, on, on].join()
    ? []
    : [`the cache of ${subject.name} should be ${on ? 'on' : 'off'}: in Innkeeper, running, kept is ${state}`]
}

const kind = (before: boolean, steps: string[], ask: Kind['ask']): Kind => ({
  weight: 1,
  undoable: true,
  named: (subject) => siteOf(subject).name,
  prepare: standing(steps),
  ask,
  check: (world, subject, done) => check(world, subject, done ? !before : before),
})

export const caches: Record<string, Kind> = {
  'website.redis-enable': kind(false, ['website.redis-enable', 'website.redis-disable'], enable),
  'website.redis-disable': kind(true, ['website.redis-enable'], disable),
}
