import { ends } from '../sites.ts'
import type { Kind, Subject } from './kinds.ts'
import { asAllInOne, type Managed, type World } from './world.ts'

const domainOf = ({ name }: Subject) => `${name}.zones.example`
interface Kept {
  id: number
  serial: number
  workflowId: number | null
}

/** The zone as Innkeeper has it. */
async function find({ api }: World, subject: Subject): Promise<Kept | undefined> {
  const { items } = await api.must('GET', `/dns/zones?search=${domainOf(subject)}`)
  return items[0]
}
async function idOf(world: World, subject: Subject): Promise<number> {
  const zone = await find(world, subject)
  if (!zone) throw new Error(`${domainOf(subject)} is not there`)
  return zone.id
}

const nameServers = new WeakSet<Managed>()

/** In calm: every host is a name server too, and a zone is on all of them. */
async function standing(world: World, subject: Subject): Promise<void> {
  const { api, servers } = world
  for (const server of servers.filter((one) => !nameServers.has(one))) {
    const { id } = server
    await asAllInOne(world, server)
    const { workflowId } = await api.must('POST', `/cloud-management/servers/${id}/services/powerdns/repair`)
    await ends(api, workflowId, 'done')
    nameServers.add(server)
  }
  const zone = await api.must('POST', '/dns/zones', { domain: domainOf(subject) })
  await ends(api, zone.workflowId, 'done')
}

/** What `dig` would get: the serial that each name server has in the end is Innkeeper's, or none answers. */
async function check(world: World, subject: Subject, there: boolean): Promise<string[]> {
  const bad: string[] = []
  const zone = await find(world, subject)
  for (const { host } of world.servers) {
    const { stdout } = await host.exec(['pdnsutil', 'list-zone', domainOf(subject)])
    const serial = Number(/\sSOA\s+\S+ \S+ (\d+)/.exec(stdout)?.[1] ?? 0)
    const wanted = there ? (zone?.serial ?? -1) : 0
    if (serial !== wanted) bad.push(`${host.name} has ${domainOf(subject)} at serial ${serial}, not ${wanted}`)
  }
  return bad
}

const kind = (ask: Kind['ask'], check: Kind['check']): Kind => ({
  weight: 1,
  heavy: true, // hosts have to become name servers first
  undoable: false, // what was told is changed back by telling anew
  prepare: standing,
  ask,
  named: domainOf,
  ...(check && { check }),
})

/** What is done to zones on name servers. */
export const zones: Record<string, Kind> = {
  'zone.publish': kind(
    async (world, subject) => {
      const record = { name: 'www', type: 'A', ttl: 60, content: '192.0.2.1' }
      const zoneId = await idOf(world, subject)
      const { items } = await world.api.must('GET', `/dns/records?zoneId=${zoneId}&search=www`)
      // an answer that was lost: the record is there, and was told by the workflow that came with it
      if (items.length) return (await find(world, subject))?.workflowId ?? 0
      return (await world.api.must('PATCH', '/dns/records', { zoneId, create: [record] })).workflowId
    },
    (world, subject, done) => (done ? check(world, subject, true) : Promise.resolve([])),
  ),
  'zone.withdraw': kind(
    async (world, subject) =>
      (await world.api.must('DELETE', '/dns/zones', { zoneId: await idOf(world, subject) })).workflowId,
    (world, subject, done) => (done ? check(world, subject, false) : Promise.resolve([])),
  ),
  'zones.sync': kind(
    async (world, subject) =>
      (await world.api.must('PATCH', '/dns/zones/worker/sync', { zoneId: await idOf(world, subject) })).workflowId,
    (world, subject, done) => (done ? check(world, subject, true) : Promise.resolve([])),
  ),
}
