import { readFileSync, writeFileSync } from 'node:fs'
import { visit } from '../sites.ts'
import type { Calls } from './check.ts'
import type { Kind, Subject } from './kinds.ts'
import { idOf, siteOf, standing } from './own.ts'
import { calmly } from './workflows.ts'
import { asAllInOne, type Managed, type World } from './world.ts'

const its = (subject: Subject) => siteOf(subject).name
const pageOf = ({ server }: Subject, { username, domain }: { username: string; domain: string }) =>
  `${server.host.root}/home/${username}/${domain}/public/index.php`
type Row = Record<string, number | string | null> & { id: number }

const rowsOf = async ({ api }: World, path: string): Promise<Row[]> => (await api.must('GET', path))[0]
/** The backup server on the subject's own machine. */
async function serverOf(world: World, { server }: Subject): Promise<Row | undefined> {
  return (await rowsOf(world, '/backups/servers')).find(({ serverId }) => serverId === server.id)
}
async function needed(world: World, subject: Subject): Promise<Row> {
  const found = await serverOf(world, subject)
  if (!found) throw new Error(`${subject.server.host.name} is no backup server`)
  return found
}
async function repositoryOf(world: World, subject: Subject): Promise<Row> {
  const { id } = await needed(world, subject)
  const all = await rowsOf(world, `/backups/repositories?backupServerId=${id}`)
  const found = all.find(({ copyOfId }) => copyOfId === null)
  if (!found) throw new Error('The backup server has no repository')
  return found
}
async function backupOf(world: World, subject: Subject): Promise<Row> {
  const [found] = await rowsOf(world, `/backups/backups?websiteId=${await idOf(world, its(subject))}&status=2`)
  if (!found) throw new Error(`${its(subject)} has no good backup`)
  return found
}

/** Before the fault: a website, its server as a backup server, and one good backup. */
const backed =
  (...steps: string[]) =>
  async (world: World, subject: Subject, calls: Calls): Promise<void> => {
    await asAllInOne(world, subject.server)
    await standing()(world, subject, calls)
    if (!(await serverOf(world, subject))) await calmly(world, 'backup-server.prepare', subject, calls)
    await calmly(world, 'backup.run', subject, calls)
    for (const step of steps) await calmly(world, step, subject, calls)
  }

/** Another machine of the world as a backup server. */
async function otherOf(world: World, subject: Subject): Promise<{ row: Row; server: Managed }> {
  const server = world.servers.find(({ id }) => id !== subject.server.id)
  if (!server) throw new Error('A copy needs a second machine')
  return { row: await needed(world, { ...subject, server }), server }
}
async function copyOf(world: World, subject: Subject): Promise<Row | undefined> {
  const { id } = await repositoryOf(world, subject)
  return (await rowsOf(world, `/backups/repositories/copies?repositoryId=${id}`))[0]
}

/** Runs restic's own check of the repository. Answers its errors. */
async function checkRepository(world: World, subject: Subject, of?: Row): Promise<string[]> {
  const { id, account } = of ?? (await repositoryOf(world, subject))
  const { password } = await world.api.must('POST', `/backups/repositories/${id}/password`, {})
  const ran = await subject.server.host.exec([
    ...['setpriv', '--reuid=innkeeper-backup', '--regid=innkeeper-backup', '--clear-groups', 'env', 'HOME=/tmp'],
    ...[`RESTIC_PASSWORD=${password}`, '/opt/innkeeper/backup/restic', '--no-cache'],
    ...['-r', `/srv/innkeeper/backups/${account}`, 'check', '--retry-lock', '2m'],
  ])
  return ran.code === 0 ? [] : [`restic check of ${account}: ${ran.stderr.slice(0, 300)}`]
}

const kind = (ask: Kind['ask'], more: Partial<Kind> = {}): Kind => ({
  weight: 1,
  heavy: true,
  undoable: true,
  named: its,
  prepare: backed(),
  ask,
  check: (world, subject) => checkRepository(world, subject),
  ...more,
})
const started = async (world: World, method: 'POST' | 'DELETE', path: string, body: object = {}) =>
  (await world.api.must(method, path, body)).workflowId as number

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
      check: async (world, subject, done) =>
        ((await serverOf(world, subject))?.status === 'ready') === done
          ? []
          : ['The backup server is in another state'],
    },
  ),
  'backup-server.remove': kind(
    async (world, subject) => started(world, 'DELETE', `/backups/servers/${(await needed(world, subject)).id}`),
    {
      named: ({ server }) => server.host.name,
      async prepare(world, subject, calls) {
        await asAllInOne(world, subject.server)
        await standing('backup-server.prepare')(world, subject, calls)
      },
      check: async (world, subject, done) =>
        ((await serverOf(world, subject)) === undefined) === done ? [] : ['The backup server is in another state'],
    },
  ),
  'backup-server.prune': kind(
    async (world, subject) => started(world, 'POST', `/backups/servers/${(await needed(world, subject)).id}/prune`),
    { named: ({ server }) => server.host.name },
  ),
  'backup-server.forget': kind(
    async (world, subject) => started(world, 'DELETE', `/backups/backups/${(await backupOf(world, subject)).id}`),
    { named: ({ server }) => server.host.name },
  ),
  'backup-repository.remove': kind(
    async (world, subject) => {
      const { id, account } = await repositoryOf(world, subject)
      return started(world, 'DELETE', `/backups/repositories/${id}`, { name: account })
    },
    { check: async () => [] },
  ),
  'backup-repository.maintain': kind(async (world, subject) =>
    started(world, 'POST', `/backups/repositories/${(await repositoryOf(world, subject)).id}/check`, { share: 5 }),
  ),
  'backup-repository.copy': kind(
    async (world, subject) => {
      const copy = await copyOf(world, subject)
      if (copy) return started(world, 'POST', `/backups/repositories/copies/${copy.id}/run`)
      const wanted = {
        repositoryId: (await repositoryOf(world, subject)).id,
        backupServerId: (await otherOf(world, subject)).row.id,
      }
      return started(world, 'POST', '/backups/repositories/copies', wanted)
    },
    {
      async prepare(world, subject, calls) {
        await backed()(world, subject, calls)
        const server = world.servers.find(({ id }) => id !== subject.server.id) ?? subject.server
        await asAllInOne(world, server)
        if (!(await serverOf(world, { ...subject, server })))
          await calmly(world, 'backup-server.prepare', { ...subject, server }, calls)
      },
      async check(world, subject, done) {
        const copy = await copyOf(world, subject)
        if (!copy) return ['There is no copy']
        const problems = done && copy.waiting ? [`${copy.waiting} backups are not copied`] : []
        const [first, other] = [await repositoryOf(world, subject), await otherOf(world, subject)]
        return [
          ...problems,
          ...(await checkRepository(world, subject, first)),
          ...(done
            ? await checkRepository(
                world,
                { ...subject, server: other.server },
                { ...copy, id: Number(copy.targetId), account: `copy-${first.id}` },
              )
            : []),
        ]
      },
    },
  ),
  'own-backup.run': kind(
    async (world, subject) =>
      started(world, 'POST', '/backups/innkeeper/run', { backupServerId: (await needed(world, subject)).id }),
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
      const [websiteId, { id }] = [await idOf(world, its(subject)), await needed(world, subject)]
      return started(world, 'POST', '/backups/backups', { websiteId, backupServerId: id })
    },
    {
      async check(world, subject) {
        const { files } = await backupOf(world, subject)
        return [...(files ? [] : ['The backup has no files']), ...(await checkRepository(world, subject))]
      },
    },
  ),
  'backup.drill': kind(async (world, subject) =>
    started(world, 'POST', `/backups/backups/${(await backupOf(world, subject)).id}/drill`),
  ),
  'website.restore-backup': kind(
    async (world, subject) => {
      const backup = await backupOf(world, subject)
      const website = await world.api.must('GET', `/websites/${backup.websiteId}`)
      const page = pageOf(subject, { username: website.username, domain: its(subject) })
      // written in place, so that the owner stays
      writeFileSync(page, `${readFileSync(page, 'utf8')}\n<p>damaged</p>\n`)
      return started(world, 'POST', '/backups/restores', { backupId: backup.id })
    },
    {
      async prepare(world, subject, calls) {
        await backed()(world, subject, calls)
        world.sites.delete(its(subject)) // visitors see the maintenance page during the restore
      },
      async check(_, subject, done) {
        const { status, body } = await visit(subject.server.host.address, its(subject))
        const damaged = body.includes('damaged')
        return status === 200 && damaged === !done ? [] : [`${its(subject)} answers ${status}, damaged: ${damaged}`]
      },
    },
  ),
}
