import { addOwner, visit } from '../sites.ts'
import { type Calls, checkWebsite } from './check.ts'
import type { Kind, Subject } from './kinds.ts'
import { keep, prepare } from './sites.ts'
import { ask, readWebsite, settle } from './workflows.ts'
import type { Managed, World } from './world.ts'

/** The website that the round moves: it is made in calm, for this round alone. */
const siteOf = ({ name, server }: Subject): Subject => ({ name: `${name}.example`, server })
async function idOf(world: World, subject: Subject): Promise<number> {
  const website = await readWebsite(world, siteOf(subject).name)
  if (!website) throw new Error(`${siteOf(subject).name} is not there`)
  return website.id
}
function otherOf({ servers }: World, { server }: Subject): Managed {
  const other = servers.find(({ id }) => id !== server.id)
  if (!other) throw new Error('The storm has one server: nothing can move')
  return other
}

/** In calm: the website. Its own check alone visits it: it is frozen for a moment, and asked on another server afterwards. */
async function standing(world: World, subject: Subject, calls: Calls): Promise<void> {
  await prepare(world, siteOf(subject), await addOwner(world.api), 'active', calls)
  world.sites.delete(siteOf(subject).name)
}

async function moved(world: World, subject: Subject, calls: Calls): Promise<void> {
  await standing(world, subject, calls)
  const id = await ask(world, 'website.migrate', subject, 0, calls, async () => {})
  const { status, reason } = await settle(world, id, 120_000)
  if (status !== 'done') throw new Error(`In calm, the move of ${subject.name} came to ${status}: ${reason}`)
}

/** It is on one server, once, and the other one has nothing of it, or hands on to that one. */
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
        bad.push(`${other.host.name} hands ${name} on with ${status}`)
    }
  await keep(world, { name, server: on }) // from now on it is looked for there
  return bad
}

/** What moves websites between the storm's two servers. */
export const moves: Record<string, Kind> = {
  'website.migrate': {
    weight: 2,
    undoable: true,
    named: (subject) => siteOf(subject).name,
    prepare: standing,
    async ask(world, subject) {
      const wish = { targetServerId: otherOf(world, subject).id, soakHours: 1 }
      return (await world.api.must('POST', `/websites/${await idOf(world, subject)}/migrate`, wish)).workflowId
    },
    check: (world, subject, done) => check(world, subject, done ? otherOf(world, subject) : subject.server, done),
  },
  'website.retire': {
    weight: 1,
    undoable: true,
    named: (subject) => siteOf(subject).name,
    prepare: moved,
    async ask(world, subject) {
      const { migrations } = await world.api.must(
        'GET',
        `/websites/migrations?sourceWebsiteId=${await idOf(world, subject)}`,
      )
      return (await world.api.must('PATCH', `/websites/migrations/${migrations[0].id}`, { want: 'retire' })).workflowId
    },
    check: (world, subject, done) => check(world, subject, otherOf(world, subject), !done),
  },
}
