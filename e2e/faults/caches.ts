import type { Kind, Subject } from './kinds.ts'
import { idOf, siteOf, standing } from './own.ts'
import type { World } from './world.ts'

const enable = async (world: World, subject: Subject) =>
  (await world.api.must('POST', '/redis-cache/enable', { website_id: await idOf(world, siteOf(subject).name) }))
    .workflowId
const disable = async (world: World, subject: Subject) =>
  (await world.api.must('PATCH', '/redis-cache/disable', { website_id: await idOf(world, siteOf(subject).name) }))
    .workflowId

/** The cache is on in Innkeeper and runs on its host, or neither, without remains. */
async function check(world: World, subject: Subject, on: boolean): Promise<string[]> {
  const { host } = subject.server
  const id = await idOf(world, siteOf(subject).name)
  const unit = `innkeeper-redis@${id}.service`
  const { redisCache } = await world.api.must('GET', `/websites/${id}/toggles`)
  const runs = (await host.exec(['systemctl', 'is-active', unit])).stdout.trim() === 'active'
  const kept = (await host.exec(['test', '-e', `/etc/systemd/system/${unit}.d`])).code === 0
  const state = [redisCache, runs, kept].join()
  return state === [on, on, on].join()
    ? []
    : [`the cache of ${subject.name} should be ${on ? 'on' : 'off'}: in Innkeeper, running, kept is ${state}`]
}

/** `steps`: the cache was turned on before, so that Redis is installed and the fault affects the cache itself. */
const kind = (before: boolean, steps: string[], ask: Kind['ask']): Kind => ({
  weight: 1,
  undoable: true,
  named: (subject) => siteOf(subject).name,
  prepare: standing(...steps),
  ask,
  check: (world, subject, done) => check(world, subject, done ? !before : before),
})

export const caches: Record<string, Kind> = {
  'website.redis-enable': kind(false, ['website.redis-enable', 'website.redis-disable'], enable),
  'website.redis-disable': kind(true, ['website.redis-enable'], disable),
}
