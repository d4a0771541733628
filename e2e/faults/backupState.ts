import { readFileSync, writeFileSync } from 'node:fs'
import type { Host } from '@innkeeper/lab/host'
import { change, contentOf, contents, databaseOf, folderOf, furnish } from './backupContent.ts'
import type { Calls } from './check.ts'
import type { Subject } from './kinds.ts'
import { idOf, its, standing } from './own.ts'
import { calmly } from './workflows.ts'
import { asAllInOne, type Managed, type World } from './world.ts'

export type Row = Record<string, number | string | null> & { id: number }

export const rowsOf = async ({ api }: World, path: string): Promise<Row[]> => (await api.must('GET', path))[0]

/** The machine that keeps the backups: not the one of the website, so that a cut cable lies between them. */
export function keeperOf({ servers }: World, { server }: Subject): Managed {
  const found = servers.find(({ id }) => id !== server.id)
  if (!found) throw new Error('A backup needs a second machine')
  return found
}
/** The backup server on a machine. */
export async function serverOn(world: World, { id }: Managed): Promise<Row | undefined> {
  return (await rowsOf(world, '/backups/servers')).find(({ serverId }) => serverId === id)
}
export async function neededOn(world: World, server: Managed): Promise<Row> {
  const found = await serverOn(world, server)
  if (!found) throw new Error(`${server.host.name} is no backup server`)
  return found
}
export async function repositoryOf(world: World, subject: Subject): Promise<Row> {
  const { id } = await neededOn(world, keeperOf(world, subject))
  const all = await rowsOf(world, `/backups/repositories?backupServerId=${id}`)
  const found = all.find(({ copyOfId, serverId }) => copyOfId === null && serverId === subject.server.id)
  if (!found) throw new Error('The backup server has no repository')
  return found
}
export async function backupOf(world: World, subject: Subject): Promise<Row> {
  const [found] = await rowsOf(world, `/backups/backups?websiteId=${await idOf(world, its(subject))}&status=2`)
  if (!found) throw new Error(`${its(subject)} has no good backup`)
  return found
}

/** A good backup that is not the last one. */
export async function oldestOf(world: World, subject: Subject): Promise<Row> {
  const all = await rowsOf(world, `/backups/backups?websiteId=${await idOf(world, its(subject))}&status=2`)
  const found = all.at(-1)
  if (!found || all.length < 2) throw new Error(`${its(subject)} has fewer than two good backups`)
  return found
}

/**
 * Before the fault: a website with content, another machine as a backup server, and one good backup. With `changes`, the
 * content differs from that of the backup before.
 */
export const backed =
  (changes: boolean, ...steps: string[]) =>
  async (world: World, subject: Subject, calls: Calls): Promise<void> => {
    const keeper = keeperOf(world, subject)
    for (const one of [subject.server, keeper]) await asAllInOne(world, one)
    if (!contents.has(its(subject))) {
      await standing('database.create')(world, subject, calls)
      await furnish(world, subject)
      contents.set(its(subject), await contentOf(world, subject))
    } else if (!changes) return
    else await change(world, subject)
    if (!(await serverOn(world, keeper)))
      await calmly(world, 'backup-server.prepare', { ...subject, server: keeper }, calls)
    await calmly(world, 'backup.run', subject, calls)
    if (steps.includes('backup-server.forget')) await calmly(world, 'backup.run', subject, calls)
    for (const step of steps) await calmly(world, step, subject, calls)
  }

/** Damages the website: visitors see another page, and the owner misses files and rows. */
export async function damage(world: World, subject: Subject): Promise<void> {
  const { folder } = await folderOf(world, subject)
  const page = `${subject.server.host.root}${folder}/public/index.php`
  // written in place, so that the owner stays
  writeFileSync(page, `${readFileSync(page, 'utf8')}\n<p>damaged</p>\n`)
  await subject.server.host.exec(['rm', '-rf', `${folder}/public/uploads`])
  await subject.server.host.exec(['mariadb', databaseOf(subject), '-e', 'delete from rows_of_it where id > 100'])
}

/** Runs restic's own check of the repository. Answers its errors. */
export async function checkRepository(world: World, keeper: Managed, { id, account }: Row): Promise<string[]> {
  const { password } = await world.api.must('POST', `/backups/repositories/${id}/password`, {})
  const ran = await keeper.host.exec([
    ...['setpriv', '--reuid=innkeeper-backup', '--regid=innkeeper-backup', '--clear-groups', 'env', 'HOME=/tmp'],
    ...[`RESTIC_PASSWORD=${password}`, '/opt/innkeeper/backup/restic', '--no-cache'],
    ...['-r', `/srv/innkeeper/backups/${account}`, 'check', '--read-data', '--retry-lock', '2m'],
  ])
  return ran.code === 0 ? [] : [`restic check of ${account}: ${ran.stderr.slice(0, 300)}`]
}

/** Scratch folders, dumps, mounts and processes that a backup, restore or drill may leave on a machine. */
const leftScript = `find /home/.innkeeper-restores /home/.innkeeper-drills /run/innkeeper/backup -mindepth 2 2>/dev/null | head -n 3
find /home/.innkeeper-restores /home/.innkeeper-drills /srv/innkeeper/backups -mindepth 1 -maxdepth 1 '(' -name '.drill-*' -o -path '/home/*' ')' 2>/dev/null
find /var/lib/innkeeper/spool '(' -name 'restore-*' -o -name '*.part' ')' 2>/dev/null
find /var/lib/innkeeper/backup -name 'running-*' 2>/dev/null
find /srv/innkeeper/backups -path '*/locks/*' -type f 2>/dev/null
grep -h ' /run/innkeeper/backup' /proc/mounts
ps -eo comm=,args= | grep -E '^(restic|mariadb-dump|pg_dump) '`
export async function leftOn(host: Host): Promise<string[]> {
  const { stdout, stderr } = await host.exec(['sh', '-c', leftScript])
  if (stderr) throw new Error(`${host.name}: ${stderr}`)
  return stdout.split('\n').flatMap((line) => (line ? [`left on ${host.name}: ${line.slice(0, 200)}`] : []))
}
