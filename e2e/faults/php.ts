import type { Calls } from './check.ts'
import { checkWebsite } from './check.ts'
import type { Kind, Subject } from './kinds.ts'
import { idOf, siteOf, standing } from './own.ts'
import { calmly, readWebsite } from './workflows.ts'
import type { World } from './world.ts'

const second = '8.4'

const add: Kind['ask'] = async ({ api }, { server }) =>
  (await api.must('POST', `/cloud-management/servers/${server.id}/php-versions`, { phpVersion: second })).workflowId
const move: Kind['ask'] = async (world, subject) => {
  const id = await idOf(world, siteOf(subject).name)
  return (await world.api.must('PATCH', `/websites/${id}/php`, { phpVersion: second })).workflowId
}

/** Before the fault: the website on a server with the second PHP version, and a plan that allows it. */
async function both(world: World, subject: Subject, calls: Calls): Promise<void> {
  const { server } = subject
  const { items } = await world.api.must('GET', '/system-user/plans?itemsPerPage=200&search=Business')
  const plan = items.find(({ name }: { name: string }) => name === 'Business')
  await world.api.must('PATCH', `/system-user/plans/${plan.id}`, { phpVersions: ['8.2', second] })
  const { services } = await world.api.must('GET', `/cloud-management/servers/view/${server.id}`)
  const there = services.some(({ detail }: { detail: string | null }) => detail === `PHP ${second}`)
  if (!there) await calmly(world, 'server.add-php', { name: server.host.name, server }, calls)
  await standing()(world, subject, calls)
}

async function check(world: World, subject: Subject, moved: boolean): Promise<string[]> {
  const website = await readWebsite(world, siteOf(subject).name)
  if (!website) return [`${siteOf(subject).name} is gone`]
  const bad = await checkWebsite(website, subject.server, 'active')
  const is = website.phpVersion === second
  return is === moved ? bad : [...bad, `${website.domain} has PHP ${website.phpVersion} in Innkeeper`]
}

/** Workflows on PHP versions of a server and of a website. */
export const php: Record<string, Kind> = {
  // possible once per server, so only with --kind
  'server.add-php': { weight: 0, undoable: false, ask: add },
  'website.php': {
    weight: 1,
    heavy: true,
    undoable: true,
    named: (subject) => siteOf(subject).name,
    prepare: both,
    ask: move,
    check,
  },
}
