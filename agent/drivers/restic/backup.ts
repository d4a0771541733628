import type { Context, Driver } from '../../kit/driver.ts'
import { ensureDirectory, must, openFolder } from '../../kit/host.ts'
import { ownerOf } from '../files/tree.ts'
import { dumpArguments } from '../mariadb/dump.ts'
import { brokenViews, definersOf, shapeOf, tablesOf } from '../mariadb/mariadbAsk.ts'
import { shapeOf as postgresqlShape, tablesOf as postgresqlTables } from '../postgresql/ask.ts'
import { dumpArguments as postgresqlDump } from '../postgresql/dump.ts'
import { type Message, messageOf, numberIn, type Remote, remote, type Said, whyOf } from './ask.ts'
import { dropDeadLocks, leavingNoLock } from './running.ts'

const SAY_MS = 5000
/** A prune of a large repository takes long, and nothing may be backed up meanwhile. */
export const RETRY = '2h'
/** Beyond this number, tables are not listed, and the database can only be restored whole. */
const MOST_TABLES = 2000
/** All backups of a website have the same host and path, so that restic finds the previous snapshot, also after a move. */
export const hostOf = (website: number) => `website-${website}`
const folderOf = (website: number) => `/run/innkeeper/backup/website-${website}`

/**
 * A private view of the folder that is read-only and follows no symlink: the owner of a website may replace a folder by
 * a symlink to any place while root reads. Other mounts below the folder are not in the view, so restic runs without
 * `--one-file-system`, which would leave out the files of an overlay that have another device number than their folder.
 */
export const view = (folder: string): [string, ...string[]] => [
  ...(['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-euc'] as const),
  [
    'mount --bind "$(readlink /proc/self/fd/3)" "$0"',
    'mount -o remount,bind,ro,nosymfollow "$0"',
    'cd "$0"',
    // mount resolves the path again: check that the mounted folder is the one that was opened
    'test "$(stat --format=%d:%i .)" = "$(stat --dereference --format=%d:%i /proc/self/fd/3)"',
    'exec 3<&-',
    'exec ionice -c 3 nice -n 10 "$@"',
  ].join('; '),
  folder,
]

export const backupFiles: Driver<'backup-files.run'> = {
  async run(c) {
    const { website, backup, excludes, path, limit } = c.input
    await ownerOf(c.input)
    const source = await openFolder(path)
    if (!source) throw new Error(`${path} does not exist`)
    const folder = folderOf(website)
    await ensureDirectory('/run/innkeeper', { mode: 0o755 })
    await ensureDirectory('/run/innkeeper/backup', { mode: 0o700 })
    await ensureDirectory(folder, { mode: 0o700 })
    try {
      const words = [
        ...['backup', '--json', '--host', hostOf(website), '--tag', `backup-${backup}`, '--tag', hostOf(website)],
        ...['--retry-lock', RETRY, '--exclude-caches', ...limited(limit)],
        ...excludes.flatMap((pattern) => ['--exclude', pattern]),
        '.',
      ]
      c.fence()
      const reached = await remote(c.input)
      const asking = { within: { argv: view(folder), fd: source.fd }, progress: progress(c.say), stop: c.stop }
      const part = answer(await leavingNoLock(c.input, `website-${website}`, reached, words, asking), c.say)
      if (part.files) return part
      const empty = !(await holdsAny(source.fd))
      return { ...part, empty, problem: part.problem ?? (empty ? null : none(path, excludes)) }
    } finally {
      await source.close()
    }
  },
  undo: leaveSnapshot,
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** Whether a folder contains anything besides folders, at any depth. */
const holdsAny = async (fd: number): Promise<boolean> => {
  const place = `/proc/${process.pid}/fd/${fd}/`
  return (await must(['find', place, '-mindepth', '1', '-xdev', '-not', '-type', 'd', '-print', '-quit'])) !== ''
}
const none = (path: string, excludes: readonly string[]) =>
  `no file of ${path} was backed up, though it holds some${excludes.length ? `: the excludes are ${excludes.slice(0, 5).join(', ')}` : ''}`

/** restic runs the dump itself: if the dump fails, there is no snapshot. */
export const backupDatabase: Driver<'backup-database.run'> = {
  async run(c) {
    const { engine, name, website, backup, limit } = c.input
    if (engine === 'postgresql') return backupPostgresql(c)
    if (!(await shapeOf(name))) return { ...nothing, problem: `there is no database ${name} on this server` }
    const orphans = (await definersOf(name)).flatMap((one) => (one.what === 'view' && !one.there ? one.name : []))
    const broken = (await brokenViews(name)).filter((view) => !orphans.includes(view))
    const left = [...orphans, ...broken].map((view) => `--ignore-table=${name}.${view}`)
    const words = [
      ...['backup', '--json', '--host', hostOf(website), '--tag', `backup-${backup}`, '--tag', hostOf(website)],
      ...['--tag', 'database', '--retry-lock', RETRY, ...limited(limit)],
      ...['--stdin-filename', `${name}.sql`, '--stdin-from-command', '--', ...dumpArguments(name, left)],
    ]
    c.fence()
    const reached = await remote(c.input)
    const said = await leavingNoLock(c.input, `database-${name}`, reached, words, {
      progress: progress(c.say),
      stop: c.stop,
    })
    if (
      said.code === 1 &&
      !messageOf(said, 'summary') &&
      /mariadb-dump/.test(JSON.stringify(said.messages) + said.stderr)
    )
      return { ...nothing, problem: `mariadb-dump failed: ${whyOf(said)}`.slice(0, 800) }
    const part = answer(said, c.say)
    const lost = [
      orphans.length && `the views ${orphans.join(', ')} are left out: the accounts that defined them do not exist`,
      broken.length && `the views ${broken.join(', ')} are left out: what they show is gone`,
    ].flatMap((text) => text || [])
    const tables = (await tablesOf(name)).flatMap((one) => (one.view ? [] : one.name))
    return {
      ...part,
      problem: part.problem ?? (lost.join('; ') || null),
      ...(tables.length <= MOST_TABLES && { tables }),
    }
  },
  undo: leaveSnapshot,
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** Dumps a PostgreSQL database as its superuser. */
async function backupPostgresql(c: Context<'backup-database.run'>) {
  const { name, website, backup, limit } = c.input
  if (!(await postgresqlShape(name))) return { ...nothing, problem: `there is no database ${name} on this server` }
  const words = [
    ...['backup', '--json', '--host', hostOf(website), '--tag', `backup-${backup}`, '--tag', hostOf(website)],
    ...['--tag', 'database', '--retry-lock', RETRY, ...limited(limit)],
    ...['--stdin-filename', `${name}.sql`, '--stdin-from-command', '--'],
    // restic runs as root, and PostgreSQL has no such account
    ...['runuser', '-u', 'postgres', '--', ...(await postgresqlDump(name))],
  ]
  c.fence()
  const reached = await remote(c.input)
  const said = await leavingNoLock(c.input, `database-${name}`, reached, words, {
    progress: progress(c.say),
    stop: c.stop,
  })
  if (
    said.code === 1 &&
    !messageOf(said, 'summary') &&
    /pg_dump|runuser/.test(JSON.stringify(said.messages) + said.stderr)
  )
    return { ...nothing, problem: `pg_dump failed: ${whyOf(said)}`.slice(0, 800) }
  const tables = (await postgresqlTables(name)).flatMap((one) => (one.view ? [] : one.name))
  return { ...answer(said, c.say), ...(tables.length <= MOST_TABLES && { tables }) }
}

/** The undo of a backup. */
export async function leaveSnapshot({ input, say }: { input: Remote; say: (text: string) => void }): Promise<void> {
  await dropDeadLocks(input)
  say('a snapshot stays until it is forgotten')
}

export const nothing = { snapshot: null, bytes: 0, added: 0, files: 0 }
export const limited = (limit: number | undefined) => (limit === undefined ? [] : ['--limit-upload', `${limit}`])

/** Exit code 3: some files could not be read. There is a snapshot, and the backup is partial. */
export function answer(said: Said, say: Context<'backup-files.run'>['say']) {
  const summary = messageOf(said, 'summary')
  const id = summary?.snapshot_id
  if ((said.code !== 0 && said.code !== 3) || typeof id !== 'string') throw new Error(whyOf(said))
  const unread = said.messages.flatMap((one) => (one.message_type === 'error' ? [itemOf(one)] : []))
  const problem = unread.length
    ? `${unread.length} files could not be read: ${unread.slice(0, 3).join(', ')}`
    : said.code === 3
      ? 'some files could not be read'
      : null
  const part = {
    snapshot: id,
    bytes: numberIn(summary, 'total_bytes_processed'),
    added: numberIn(summary, 'data_added_packed') || numberIn(summary, 'data_added'),
    files: numberIn(summary, 'total_files_processed'),
    problem,
  }
  say(`${part.files} files, ${part.bytes} bytes, ${part.added} of them new: snapshot ${id.slice(0, 8)}`)
  return part
}

const itemOf = ({ item, error }: Message): string => {
  const why = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : ''
  return `${typeof item === 'string' ? item : ''} ${why}`.trim().slice(0, 200)
}

/** A line every few seconds: share, bytes, files, time left. */
export function progress(say: (text: string) => void): (message: Message) => void {
  let last = performance.now()
  return (message) => {
    if (performance.now() - last < SAY_MS) return
    last = performance.now()
    const share = Math.round(100 * numberIn(message, 'percent_done'))
    const left = numberIn(message, 'seconds_remaining')
    say(
      `${share} %: ${numberIn(message, 'bytes_done')} of ${numberIn(message, 'total_bytes')} bytes, ${numberIn(message, 'files_done')} files${left ? `, ${left} s left` : ''}`,
    )
  }
}
