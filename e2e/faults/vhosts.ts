import { ends } from '../sites.ts'
import { edged, edgeOf, showsAlike } from './edges.ts'
import type { Kind, Subject } from './kinds.ts'
import { alone, idOf, siteOf } from './own.ts'
import type { World } from './world.ts'

interface Kept {
  id: number
  cdn: boolean
  minutes: number
}
async function find(world: World, subject: Subject): Promise<Kept | undefined> {
  const { items } = await world.api.must('GET', `/vhost-management/vhost?search=${siteOf(subject).name}`)
  return items[0]
}
async function its(world: World, subject: Subject): Promise<Kept> {
  const vhost = await find(world, subject)
  if (!vhost) throw new Error(`${siteOf(subject).name} has no edge`)
  return vhost
}

/** Before the fault: the other host is an edge, and the round's website exists. */
const behind = (...steps: string[]) => edged(alone(...steps))

/** Innkeeper and the edge agree, and websites behind the edge answer there. */
async function check(world: World, subject: Subject, there: boolean): Promise<string[]> {
  const { host } = edgeOf(world, subject)
  const name = siteOf(subject).name
  const vhost = await find(world, subject)
  if ((vhost !== undefined) !== there) return [`${name} is ${there ? 'not ' : ''}behind an edge in Innkeeper`]
  const asked = ['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Host: ${name}`, 'http://127.0.0.1/']
  const { stdout } = await host.exec(asked)
  const wanted = there ? '200' : '000'
  const bad = stdout === wanted ? [] : [`the edge of ${name} answers ${stdout}, not ${wanted}`]
  return [...bad, ...(await showsAlike(world, subject, there))]
}

const edge = (kind: Pick<Kind, 'ask' | 'check'> & { steps: string[] }): Kind => ({
  weight: 1,
  undoable: true,
  named: (subject) => siteOf(subject).name,
  prepare: behind(...kind.steps),
  ask: kind.ask,
  ...(kind.check && { check: kind.check }),
})
const started = async (answer: Promise<{ workflowId: number }>) => (await answer).workflowId

/** The website exists and answers, whatever became of the change. */
const stays: Kind['check'] = (world, subject) => check(world, subject, true)

const set = { max_input_vars: 3000 }
/** The host has the website's own pool exactly if Innkeeper shows it. */
const own: Kind['check'] = async (world, subject, done) => {
  const id = await idOf(world, siteOf(subject).name)
  const vhost = await world.api.must('GET', `/origin-vhost/vhosts/${id}`)
  const file = `/etc/innkeeper/php/${vhost.phpVersion}/${vhost.username}-${id}.conf`
  const { stdout } = await subject.server.host.exec(['cat', file])
  const state = [vhost.own, stdout.includes('php_value[max_input_vars] = 3000')].join()
  return state === [done, done].join() ? [] : [`PHP of ${vhost.domain}: in Innkeeper, on its host is ${state}`]
}
const origin = (ask: Kind['ask']): Kind => ({
  weight: 1,
  undoable: true,
  named: (subject) => siteOf(subject).name,
  prepare: alone(),
  ask,
  check: own,
})

/** Workflows on origin vhosts and edges. */
export const vhosts: Record<string, Kind> = {
  'website.origin-vhost': origin(async (world, subject) => {
    const id = await idOf(world, siteOf(subject).name)
    return started(world.api.must('PATCH', `/origin-vhost/vhosts/${id}/php`, { phpParameters: set }))
  }),
  'website.origin-vhosts': {
    ...origin(async (world, subject) => {
      const name = siteOf(subject).name
      const id = await idOf(world, name)
      const { items } = await world.api.must('GET', `/origin-vhost/vhosts/websites/${id}`)
      const [, second = { id: 0 }] = items
      if (!second.id) throw new Error(`${name} has no website below it`)
      const requested = { ids: [id, second.id], phpParameters: set, wait: true }
      return started(world.api.must('PATCH', '/origin-vhost/php', requested))
    }),
    waits: true,
    async prepare(world, subject, calls) {
      await alone()(world, subject, calls)
      const name = siteOf(subject).name
      const path = `/websites/${await idOf(world, name)}/subwebsite`
      const { workflowId } = await world.api.must('POST', path, { domain: `second.${name}` })
      await ends(world.api, workflowId, 'done')
    },
  },
  'vhost.create': edge({
    steps: ['certificate.issue'],
    async ask(world, subject) {
      const websiteId = await idOf(world, siteOf(subject).name)
      return started(
        world.api.must('POST', '/vhost-management/vhost', { websiteId, serverId: edgeOf(world, subject).id }),
      )
    },
    check,
  }),
  'vhost.remove': edge({
    steps: ['certificate.issue', 'vhost.create'],
    ask: async (world, subject) =>
      started(world.api.must('DELETE', `/vhost-management/vhost/${(await its(world, subject)).id}`, {})),
    check: (world, subject, done) => check(world, subject, !done),
  }),
  'vhost.cdn': edge({
    steps: ['vhost.create'],
    ask: async (world, subject) =>
      started(
        world.api.must('PATCH', `/vhost-management/vhost/${(await its(world, subject)).id}/cdn`, { minutes: 33 }),
      ),
    async check(world, subject, done) {
      const { minutes } = await its(world, subject)
      const wrong =
        (minutes === 33) === done ? [] : [`pages of ${siteOf(subject).name} have a lifetime of ${minutes} min`]
      return [...wrong, ...(await check(world, subject, true))]
    },
  }),
  'vhost.clear': edge({
    steps: ['vhost.create'],
    ask: async (world, subject) =>
      started(world.api.must('POST', `/vhost-management/vhost/${(await its(world, subject)).id}/clear`, {})),
    check: stays,
  }),
  'vhost.resync': edge({
    steps: ['certificate.issue', 'vhost.create'],
    async ask(world, subject) {
      const { id } = await its(world, subject)
      const { host } = edgeOf(world, subject)
      await host.exec(['sh', '-c', `echo "# by hand" >>/etc/nginx/innkeeper/sites/edge-${id}.conf`])
      const { workflowIds } = await world.api.must('POST', '/vhost-management/vhost/resync', { ids: [id] })
      if (!workflowIds[0]) throw new Error(`${siteOf(subject).name} shows no difference`)
      return workflowIds[0]
    },
    check: stays,
  }),
  'vhost.xdn': {
    weight: 0, // needs a third host: the origin and an edge of each network
    undoable: true,
    ask: async (world, subject) =>
      started(world.api.must('POST', `/vhost-management/vhost/${(await its(world, subject)).id}/xdn`, {})),
  },
}
