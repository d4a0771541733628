import { ends } from '../sites.ts'
import type { Kind, Subject } from './kinds.ts'
import type { World } from './world.ts'

const BANNED = '198.51.100.77'
const setOf = ({ name }: Subject) => `storm-${name.replace(/[^a-z0-9]/g, '').slice(-20)}`
interface OnServer {
  workflowId: number
  standing: string
}

/** The running or last workflow of the subject on its own server. */
async function lastWork({ api }: World, subject: Subject): Promise<number> {
  const { onServers } = await api.must('GET', `/ipset/sets/${setOf(subject)}`)
  const [one] = onServers as OnServer[]
  return one?.workflowId ?? 0
}

/** Before the fault: an IP set on the round's server, with a ban if requested. */
const standing = (banned: boolean) => async (world: World, subject: Subject) => {
  const { api } = world
  await api.must('POST', '/ipset/sets', { name: setOf(subject), serverIds: [subject.server.id] })
  await ends(api, await lastWork(world, subject), 'done')
  if (!banned) return
  const { workflowIds } = await api.must('POST', `/ipset/sets/${setOf(subject)}/ips`, { ip: BANNED })
  await ends(api, workflowIds[0], 'done')
}

/** The kernel of the host drops the banned address, now and after a reboot; or nothing of the set exists. */
async function check(subject: Subject, wanted: 'dropped' | 'gone'): Promise<string[]> {
  const { host } = subject.server
  const set = setOf(subject)
  const place = ['inet', 'innkeeper', `${set}_v4`]
  const there = (await host.exec(['nft', 'list', 'set', ...place])).code === 0
  const dropped = (await host.exec(['nft', 'get', 'element', ...place, `{ ${BANNED} }`])).code === 0
  const kept = (await host.exec(['test', '-e', `/var/lib/innkeeper/ip-sets/sets/${set}`])).code === 0
  const right = wanted === 'dropped' ? dropped && kept : !there && !kept
  const state = `in the kernel ${there}, dropped ${dropped}, kept for the next start ${kept}`
  return right ? [] : [`${set} should be ${wanted} on ${host.name}: ${state}`]
}

const kind = (banned: boolean, after: 'dropped' | 'gone', ask: Kind['ask']): Kind => ({
  weight: 1,
  undoable: false, // a delivery is changed back by another delivery
  named: setOf,
  prepare: standing(banned),
  ask,
  check: (_, subject, done) => (done ? check(subject, after) : Promise.resolve([])),
})

/** Workflows on IP sets. */
export const ipsets: Record<string, Kind> = {
  'ip-set.publish': kind(false, 'dropped', async (world, subject) => {
    const { items } = await world.api.must('GET', `/ipset/sets/${setOf(subject)}/ips`)
    // the answer was lost, but the ban exists and its workflow has delivered it
    if (items.length) return lastWork(world, subject)
    const { workflowIds } = await world.api.must('POST', `/ipset/sets/${setOf(subject)}/ips`, { ip: BANNED })
    return workflowIds[0]
  }),
  'ip-set.withdraw': kind(true, 'gone', async (world, subject) => {
    const { workflowIds } = await world.api.must('DELETE', `/ipset/sets/${setOf(subject)}`, {})
    return workflowIds[0]
  }),
  'ip-set.compare': kind(true, 'dropped', async (world, subject) => {
    const { workflowIds } = await world.api.must('POST', `/ipset/sets/${setOf(subject)}/sync`, {})
    return workflowIds[0]
  }),
}
