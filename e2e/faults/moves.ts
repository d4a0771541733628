import { visit } from '../sites.ts'
import { checkWebsite } from './check.ts'
import type { Kind, Subject } from './kinds.ts'
import { alone, idOf, siteOf } from './own.ts'
import { keep } from './sites.ts'
import { readWebsite } from './workflows.ts'
import type { Managed, World } from './world.ts'

function otherOf({ servers }: World, { server }: Subject): Managed {
  const other = servers.find(({ id }) => id !== server.id)
  if (!other) throw new Error('The fault test has one server, so nothing can move')
  return other
}

/** The website exists once, on one server; the other server has nothing of it, or redirects to the first. */
async function check(world: World, subject: Subject, on: Managed, handsOn: boolean): Promise<string[]> {
  const { name } = siteOf(subject)
  const website = await readWebsite(world, name)
  if (!website) return [`${name} is gone`]
  const bad = website.serverId === on.id ? [] : [`${name} is on ${website.serverName} in Innkeeper`]
  if (website.status !== 'active') bad.push(`${name} is ${website.status} in Innkeeper`)
  bad.push(...(await checkWebsite(website, on, 'active')))
  for (const other of world.servers.filter(({ id }) => id !== on.id))
    if (!handsOn) bad.push(...(await checkWebsite(website, other, 'gone')))
    else {
      const { status, body } = await visit(other.host.address, name)
      if (status !== 200 || !body.includes(`<h1>${name}</h1>`))
        bad.push(`${other.host.name} answers ${status} for ${name}`)
    }
  await keep(world, { name, server: on }) // later checks look on the new server
  return bad
}

/** Workflows that move websites between the two servers. */
export const moves: Record<string, Kind> = {
  'website.migrate': {
    weight: 2,
    undoable: true,
    named: (subject) => siteOf(subject).name,
    prepare: alone(), // the website is frozen for a moment, and then served by another server
    async ask(world, subject) {
      const requested = { targetServerId: otherOf(world, subject).id, soakHours: 1 }
      return (await world.api.must('POST', `/websites/${await idOf(world, siteOf(subject).name)}/migrate`, requested))
        .workflowId
    },
    check: (world, subject, done) => check(world, subject, done ? otherOf(world, subject) : subject.server, done),
  },
  'website.retire': {
    weight: 1,
    undoable: true,
    named: (subject) => siteOf(subject).name,
    prepare: alone('website.migrate'),
    async ask(world, subject) {
      const { migrations } = await world.api.must(
        'GET',
        `/websites/migrations?sourceWebsiteId=${await idOf(world, siteOf(subject).name)}`,
      )
      return (await world.api.must('PATCH', `/websites/migrations/${migrations[0].id}`, { want: 'retire' })).workflowId
    },
    check: (world, subject, done) => check(world, subject, otherOf(world, subject), !done),
  },
}
