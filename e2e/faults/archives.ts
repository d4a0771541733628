import { addOwner, visit } from '../sites.ts'
import { until } from '../until.ts'
import type { Kind, Subject } from './kinds.ts'
import { calmly, find, readWebsite } from './workflows.ts'
import type { World } from './world.ts'

/** An account of HestiaCP with one static website, in an archive that only this round has. */
const nameOf = ({ name }: Subject) => `${name.replace(/[^a-z0-9]/g, '')}.tar`
const pathOf = (subject: Subject) => `/backup/${nameOf(subject)}`
const siteOf = (subject: Subject) => `from-${nameOf(subject).replace('.tar', '')}.example`

async function putArchive(_: World, subject: Subject): Promise<void> {
  const site = siteOf(subject)
  const script = `rm -rf /tmp/a /tmp/d; mkdir -p /backup /tmp/a/hestia /tmp/a/web/${site}/hestia /tmp/d/public_html
    printf "NAME='old' PACKAGE='default' CONTACT='old@old.example' SUSPENDED='no'\\n" > /tmp/a/hestia/user.conf
    printf "DOMAIN='${site}' ALIAS='' IP='192.0.2.9' BACKEND='PHP-8_2' SUSPENDED='no'\\n" > /tmp/a/web/${site}/hestia/web.conf
    printf 'a page' > /tmp/d/public_html/index.html
    tar -C /tmp/d -czf /tmp/a/web/${site}/domain_data.tar.gz .; tar -C /tmp/a -cf ${pathOf(subject)} .`
  const { code, stderr } = await subject.server.host.exec(['sh', '-euc', script])
  if (code !== 0) throw new Error(stderr)
}

async function importOf({ api }: World, subject: Subject): Promise<{ id: number; status: string } | undefined> {
  const { items } = await api.must('GET', `/archive-imports?search=${nameOf(subject)}`)
  return items[0]
}

const named = nameOf
const prepare: Kind['prepare'] = async (world, subject, calls) => {
  await putArchive(world, subject)
  await calmly(world, 'archive-import.look', subject, calls)
}

interface Known {
  id: number
  version: number
  status: string
}
/** What a look at a server found, once no other round looks at the server; id 0 if nobody has looked yet. */
const adoptionOf = ({ api }: World, { server }: Subject): Promise<Known> =>
  until('nobody looks at the server', async (): Promise<Known | false> => {
    const { items } = await api.must('GET', `/adoptions?server=${server.id}`)
    const [one = { id: 0, version: 0, status: 'none' }] = items as Known[] // as the contract answers it
    return one.status !== 'looking' && one
  })

/** Looks at an archive, imports its website, and deletes what the look has kept. */
export const archives: Record<string, Kind> = {
  'archive-import.look': {
    weight: 1,
    undoable: true,
    named,
    prepare: putArchive,
    ask: async ({ api }, subject) =>
      (await api.must('POST', '/archive-imports', { serverId: subject.server.id, path: pathOf(subject) })).workflowId,
    async check(world, subject, done) {
      const status = (await importOf(world, subject))?.status
      return status === (done ? 'ready' : 'unreadable') ? [] : [`${nameOf(subject)} is ${status}`]
    },
  },
  'adoption.look': {
    weight: 1,
    undoable: true,
    named: ({ server }) => server.host.name,
    async ask(world, subject) {
      const known = await adoptionOf(world, subject)
      if (!known.id) return (await world.api.must('POST', '/adoptions', { serverId: subject.server.id })).workflowId
      return (await world.api.must('POST', `/adoptions/${known.id}/look`, { version: known.version })).workflowId
    },
    async check(world, subject, done) {
      const { status } = await adoptionOf(world, subject)
      return status === (done ? 'ready' : 'unreadable') ? [] : [`${subject.server.host.name} is ${status}`]
    },
  },
  'archive-import.run': {
    weight: 1,
    undoable: true,
    waits: true,
    named,
    prepare,
    async ask(world, subject) {
      const userId = await addOwner(world.api)
      const { items: plans } = await world.api.must('GET', '/system-user/plans')
      const plan = plans.find(({ name }: { name: string }) => name === 'Business')?.id
      const { id } = (await importOf(world, subject)) ?? {}
      return (await world.api.must('POST', `/archive-imports/${id}/start`, { userId, plan })).workflowId
    },
    async check(world, subject, done) {
      const [site, status] = [siteOf(subject), (await importOf(world, subject))?.status]
      const website = await readWebsite(world, site)
      const { body } = await visit(subject.server.host.address, site)
      const [is, wanted] = [
        [status, website?.status, body.includes('a page')],
        done ? ['done', 'active', true] : ['rolled-back', undefined, false],
      ]
      return JSON.stringify(is) === JSON.stringify(wanted) ? [] : [`${site}: ${is.join(', ')}`]
    },
  },
  'archive-import.drop': {
    weight: 1,
    undoable: false, // nothing is left to look at
    named,
    prepare,
    async ask(world, subject) {
      await world.api.must('DELETE', `/archive-imports/${(await importOf(world, subject))?.id}`, {})
      return until('the archive is being dropped', () => find(world, 'archive-import.drop', subject, 0))
    },
    async check(world, subject) {
      const kept = await importOf(world, subject)
      return kept ? [`${nameOf(subject)} is still listed`] : []
    },
  },
}
