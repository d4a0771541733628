import { visit } from '../sites.ts'
import { contentBefore, contentOf } from './backupContent.ts'
import {
  backed,
  backupOf,
  checkRepository,
  damage,
  keeperOf,
  leftOn,
  neededOn,
  oldestOf,
  type Row,
  repositoryOf,
  rowsOf,
  serverOn,
} from './backupState.ts'
import type { Kind, Subject } from './kinds.ts'
import { idOf, its, standing } from './own.ts'
import { calmly } from './workflows.ts'
import { asAllInOne, type World } from './world.ts'

async function copyOf(world: World, subject: Subject): Promise<Row | undefined> {
  const { id } = await repositoryOf(world, subject)
  return (await rowsOf(world, `/backups/repositories/copies?repositoryId=${id}`))[0]
}
const keeperName = (subject: Subject, world: World) => keeperOf(world, subject).host.name
const accountName = ({ server }: Subject) => `server-${server.id}`

/** The website is whole, its repository too, and nothing is left on either machine. */
async function sound(world: World, subject: Subject): Promise<string[]> {
  const bad = await checkRepository(world, keeperOf(world, subject), await repositoryOf(world, subject))
  for (const { host } of world.servers) bad.push(...(await leftOn(host)))
  if ((await contentOf(world, subject)) !== contentBefore(subject)) bad.push(`${its(subject)} has another content`)
  return bad
}

const kind = (ask: Kind['ask'], more: Partial<Kind> = {}): Kind => ({
  weight: 1,
  heavy: true,
  undoable: true,
  named: its,
  prepare: backed(false),
  ask,
  check: sound,
  ...more,
})
const started = async (world: World, method: 'POST' | 'DELETE', path: string, body: object = {}) =>
  (await world.api.must(method, path, body)).workflowId as number
const keeperId = async (world: World, subject: Subject) => (await neededOn(world, keeperOf(world, subject))).id

/** Workflows on backups. */
export const backups: Record<string, Kind> = {
  'backup-server.prepare': kind(
    (world, { server }) => started(world, 'POST', '/backups/servers', { serverId: server.id }),
    {
      named: ({ server }) => server.host.name,
      async prepare(world, subject, calls) {
        await asAllInOne(world, subject.server)
        await standing()(world, subject, calls)
      },
      check: async (world, { server }, done) =>
        ((await serverOn(world, server))?.status === 'ready') === done ? [] : ['The backup server is in another state'],
    },
  ),
  'backup-server.remove': kind(
    async (world, { server }) => started(world, 'DELETE', `/backups/servers/${(await neededOn(world, server)).id}`),
    {
      named: ({ server }) => server.host.name,
      async prepare(world, subject, calls) {
        await asAllInOne(world, subject.server)
        await standing('backup-server.prepare')(world, subject, calls)
      },
      check: async (world, { server }, done) =>
        ((await serverOn(world, server)) === undefined) === done ? [] : ['The backup server is in another state'],
    },
  ),
  'backup-server.prune': kind(
    async (world, subject) => started(world, 'POST', `/backups/servers/${await keeperId(world, subject)}/prune`),
    { named: keeperName, prepare: backed(true, 'backup-server.forget') }, // so that there is something to remove
  ),
  'backup-server.forget': kind(
    async (world, subject) => started(world, 'DELETE', `/backups/backups/${(await oldestOf(world, subject)).id}`),
    {
      named: keeperName,
      prepare: backed(true, 'backup.run'), // a newer backup stays
    },
  ),
  'backup-repository.remove': kind(
    async (world, subject) => {
      const { id, account } = await repositoryOf(world, subject)
      return started(world, 'DELETE', `/backups/repositories/${id}`, { name: account })
    },
    { named: accountName, check: async () => [] },
  ),
  'backup-repository.maintain': kind(
    async (world, subject) =>
      started(world, 'POST', `/backups/repositories/${(await repositoryOf(world, subject)).id}/check`, { share: 5 }),
    { named: accountName },
  ),
  'backup-repository.copy': kind(
    async (world, subject) => {
      const copy = await copyOf(world, subject)
      if (copy) return started(world, 'POST', `/backups/repositories/copies/${copy.id}/run`)
      const backupServerId = (await neededOn(world, subject.server)).id
      const wanted = { repositoryId: (await repositoryOf(world, subject)).id, backupServerId }
      return started(world, 'POST', '/backups/repositories/copies', wanted)
    },
    {
      named: accountName,
      async prepare(world, subject, calls) {
        await backed(true)(world, subject, calls)
        if (!(await serverOn(world, subject.server))) await calmly(world, 'backup-server.prepare', subject, calls)
      },
      async check(world, subject, done) {
        const copy = await copyOf(world, subject)
        if (!copy) return ['There is no copy']
        const problems = done && copy.waiting ? [`${copy.waiting} backups are not copied`] : []
        const { id } = await repositoryOf(world, subject)
        const target = { ...copy, id: Number(copy.targetId), account: `copy-${id}` }
        return [
          ...problems,
          ...(await sound(world, subject)),
          ...(done ? await checkRepository(world, subject.server, target) : []),
        ]
      },
    },
  ),
  'own-backup.run': kind(
    async (world, subject) =>
      started(world, 'POST', '/backups/innkeeper/run', { backupServerId: await keeperId(world, subject) }),
    {
      named: () => 'Innkeeper',
      undoable: false, // a kept snapshot stays
      check: async (world, _, done) => {
        const [[last]] = [(await world.api.must('GET', '/backups/innkeeper')).items as Row[]]
        return done && !last?.provenAt ? ['The backup of Innkeeper is not proven'] : []
      },
    },
  ),
  'backup.run': kind(
    async (world, subject) => {
      const [websiteId, backupServerId] = [await idOf(world, its(subject)), await keeperId(world, subject)]
      return started(world, 'POST', '/backups/backups', { websiteId, backupServerId })
    },
    {
      prepare: backed(true),
      async check(world, subject, done) {
        if (!done) await calmly(world, 'backup.run', subject, new Map())
        const { files } = await backupOf(world, subject)
        return [...(files ? [] : ['The backup has no files']), ...(await sound(world, subject))]
      },
    },
  ),
  'backup.drill': kind(async (world, subject) =>
    started(world, 'POST', `/backups/backups/${(await backupOf(world, subject)).id}/drill`),
  ),
  'website.restore-backup': kind(
    async (world, subject) => {
      const { id } = await backupOf(world, subject)
      await damage(world, subject)
      return started(world, 'POST', '/backups/restores', { backupId: id })
    },
    {
      async prepare(world, subject, calls) {
        await backed(false)(world, subject, calls)
        world.sites.delete(its(subject)) // visitors see the maintenance page during the restore
      },
      async check(world, subject, done) {
        const { status, body } = await visit(subject.server.host.address, its(subject))
        const damaged = body.includes('damaged')
        const bad =
          status === 200 && damaged === !done ? [] : [`${its(subject)} answers ${status}, damaged: ${damaged}`]
        if (done) return [...bad, ...(await sound(world, subject))]
        // the files and the rows are both those of before
        const [now, then = ''] = [await contentOf(world, subject), contentBefore(subject)]
        if (now.includes('uploads/large') || now.split('\n').at(-2) === then.split('\n').at(-2))
          bad.push(`${its(subject)} is half restored`)
        await calmly(world, 'website.restore-backup', subject, new Map())
        return [...bad, ...(await sound(world, subject))]
      },
    },
  ),
}
