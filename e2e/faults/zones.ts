import { ends } from '../sites.ts'
import type { Kind, Subject } from './kinds.ts'
import { asAllInOne, type Managed, type World } from './world.ts'

const domainOf = ({ name }: Subject) => `${name}.zones.example`
interface Kept {
  id: number
  serial: number
  workflowId: number | null
}

/** The zone as the API shows it. */
async function find({ api }: World, subject: Subject): Promise<Kept | undefined> {
  const { items } = await api.must('GET', `/dns/zones?search=${domainOf(subject)}`)
  return items[0]
}
async function idOf(world: World, subject: Subject): Promise<number> {
  const zone = await find(world, subject)
  if (!zone) throw new Error(`${domainOf(subject)} does not exist`)
  return zone.id
}

const nameServers = new WeakSet<Managed>()

/** Before the fault: makes every host a name server with the zone. */
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

/** Every name server finally has Innkeeper's serial, or none answers the zone. */
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
  heavy: true, // the hosts must become name servers first
  undoable: false, // a publication is changed back by another publication
  prepare: standing,
  ask,
  named: domainOf,
  ...(check && { check }),
})

/** Workflows on zones. */
export const zones: Record<string, Kind> = {
  'zone.publish': kind(
    async (world, subject) => {
      const record = { name: 'www', type: 'A', ttl: 60, content: '192.0.2.1' }
      const zoneId = await idOf(world, subject)
      const { items } = await world.api.must('GET', `/dns/records?zoneId=${zoneId}&search=www`)
      // the answer was lost, but the record exists and its workflow has published it
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
  'zones.turn': {
    ...kind(
      async ({ api, servers }) => {
        const { primaryServerId } = await api.must('GET', '/dns/settings')
        const former = primaryServerId ?? servers[0]?.id
        const other = servers.find(({ id }) => id !== former)
        if (!other) throw new Error('All zones move between two name servers')
        await api.must('PATCH', '/dns/settings', { primaryServerId: other.id })
        const { items } = await api.must('GET', '/workflows?subjectType=dns')
        return items.find(({ kind }: { kind: string }) => kind === 'zones.turn').id
      },
      (world, subject, done) => (done ? check(world, subject, true) : Promise.resolve([])),
    ),
    named: () => 'All zones',
  },
}
