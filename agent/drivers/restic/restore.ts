import { createWriteStream } from 'node:fs'
import { chmod, lstat, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Context, Driver } from '../../kit/driver.ts'
import {
  absent,
  bringBack,
  ensureDirectory,
  exchange,
  inside,
  must,
  notes,
  openFolder,
  putInPlace,
  remove,
  spooled,
  throwAway,
  thrown,
} from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { kept } from '../files/restored.ts'
import { copyTree, listTree, ownerOf, type Place, within } from '../files/tree.ts'
import { pickTables } from '../mariadb/pickTables.ts'
import { inodeOf } from '../merge/swapMerge.ts'
import { messageOf, numberIn, remote, whyOf } from './ask.ts'
import { inRoom } from './room.ts'
import { dropDeadLocks, leavingNoLock } from './running.ts'

type Swap = Context<'restore-files.swap'>
const base = '/home/.innkeeper-restores'
const root: Account = { uid: 0, gid: 0, home: '/root' }
/** The folder of a restore, on the website's file system. Only root can enter, so its owner cannot change the files yet. */
const asideOf = (restore: number) => `${base}/${restore}`
const contentOf = (restore: number) => `${asideOf(restore)}/content`
const formerOf = (restore: number) => `${asideOf(restore)}/former`
const kind = 'restored-files'

export const prepareRestore: Driver<'restore-files.prepare'> = {
  async run(c) {
    const { restore, snapshot, paths, foreign, bytes } = c.input
    const account = await ownerOf(c.input)
    const content = contentOf(restore)
    c.fence()
    await clear(restore)
    await ensureDirectory(base, { mode: 0o700 })
    await ensureDirectory(asideOf(restore), { mode: 0o700 })
    await ensureDirectory(content, { mode: 0o755 })
    const chosen = paths?.flatMap((path) => ['--include', `/${escaped(path)}`]) ?? []
    const lists = foreign ? ['--exclude-xattr', 'system.posix_acl_*'] : []
    const how = ['--json', '--retry-lock', '2h', '--sparse', '--verify', '--target', content]
    const words = ['restore', ...how, ...lists, ...chosen, snapshot]
    const reached = await remote(c.input)
    const room = { bytes: bytes ?? 0, what: `a second copy of ${c.input.path}`, snapshot, reached }
    const said = await inRoom(content, room, (stop) =>
      leavingNoLock(c.input, `restore-${restore}`, reached, words, { progress: said5(c.say), stop }),
    )
    if (said.code !== 0) throw new Error(whyOf(said))
    const missing = []
    for (const path of paths ?? []) if (!(await lstat(`${content}/${path}`).catch(absent))) missing.push(path)
    if (missing.length) throw new Error(`the backup does not have ${missing.slice(0, 5).join(', ')}`)
    const summary = messageOf(said, 'summary')
    await give(content, account)
    await likeLive(content, c.input.path)
    await must(['sync', '--file-system', '--', content])
    c.say(`${numberIn(summary, 'files_restored')} files are restored beside ${c.input.path}`)
    return { files: numberIn(summary, 'files_restored'), bytes: numberIn(summary, 'bytes_restored') }
  },
  async undo({ input, say, fence }) {
    fence()
    await clear(input.restore)
    await dropDeadLocks(input)
    say('the restored files are gone')
  },
  inspect: async ({ input, task }) =>
    task === 'undo' && !(await lstat(asideOf(input.restore)).catch(absent)) ? 'yes' : 'no',
}

/** restic reads `--include` as a pattern. */
const escaped = (path: string) => path.replace(/[\\*?[\]]/g, '\\$&')

/** Gives all restored files to the account, whose uid and gid may differ from those on the former machine. */
export async function give(content: string, { uid, gid }: Account): Promise<void> {
  const others = ['find', content, '-xdev', '(', '-not', '-uid', `${uid}`, '-o', '-not', '-gid', `${gid}`, ')'] as const
  await must([...others, '-exec', 'chown', '--no-dereference', `${uid}:${gid}`, '{}', '+'])
}

/** Copies the mode of the live folder: a snapshot has the folder's contents, but not its own mode. */
async function likeLive(content: string, path: string): Promise<void> {
  const live = await openFolder(path)
  try {
    if (live) await chmod(content, (await live.stat()).mode & 0o7777)
  } finally {
    await live?.close()
  }
}

const clear = (restore: number) => must(['rm', '-rf', '--one-file-system', '--', asideOf(restore)])

export const swapRestore: Driver<'restore-files.swap'> = {
  async run(c) {
    const { input, say, fence } = c
    if (input.paths) return bring(c, input.paths)
    if (await isTurned(input)) return say('the files have changed places already')
    await turn(input, fence, async (inode) => {
      await notes.keep(kind, `${input.restore}`, c.actionId, { inode: `${inode}` })
    })
    say(`${input.path} is what it was when it was backed up`)
  },
  async undo(c) {
    const { input, say, fence } = c
    const note = await notes.find(kind, `${input.restore}`)
    if (!note) return say('the files were not changed')
    if (note.about.paths) {
      await takeBack(c, JSON.parse(note.about.paths) as string[], note.about)
      await must(['rm', '-rf', '--one-file-system', '--', formerOf(input.restore)])
    } else if (await isTurned(input)) await turn(input, fence, async () => {})
    await notes.drop(kind, `${input.restore}`)
    say(`${input.path} is what it was before`)
  },
  async inspect({ input, task }) {
    if (task === 'undo') return (await notes.find(kind, `${input.restore}`)) ? 'no' : 'yes'
    if (input.paths) return 'no' // a repeat copies the chosen files again
    return (await isTurned(input)) ? 'yes' : 'no'
  },
}

const goneBeside = (path: string) => `the restored files of ${path} are gone: roll back and restore again`

/** Whether the folder is the restored one. Its note alone proves nothing: it is written before the exchange. */
async function isTurned({ path, restore }: Swap['input']): Promise<boolean> {
  const note = await notes.find(kind, `${restore}`)
  return note !== undefined && (note.about.inode === undefined || note.about.inode === `${await inodeOf(path)}`)
}

/** Exchanges the folder with the restored one in one step. `before` is called with the inode of the restored folder. */
async function turn(
  { path, restore }: Swap['input'],
  fence: () => void,
  before: (inode: number | undefined) => Promise<void>,
): Promise<void> {
  const [parent, aside] = [await openFolder(dirname(path)), await openFolder(asideOf(restore))]
  try {
    if (!parent || !aside) throw new Error(goneBeside(path))
    fence()
    await before(await inodeOf(contentOf(restore)))
    await exchange(inside(parent, path), inside(aside, 'content'))
  } finally {
    await parent?.close()
    await aside?.close()
  }
}

/** Copies chosen files over the present ones, which are kept first. */
async function bring(c: Swap, paths: string[]): Promise<void> {
  const { input, say, fence } = c
  const account = await ownerOf(input)
  const [content, former] = [placed(input, contentOf(input.restore)), placed(input, formerOf(input.restore))]
  if (!(await lstat(content.path).catch(absent))) throw new Error(goneBeside(input.path))
  const chosen = within(paths)
  const coming = (await listTree(content, root)).filter(chosen)
  if (!(await notes.find(kind, `${input.restore}`))) {
    const there = (await listTree(input, account)).filter(chosen)
    await must(['rm', '-rf', '--one-file-system', '--', former.path])
    await ensureDirectory(former.path, { mode: 0o755 })
    await copyTree(input, account, former, root, there)
    const had = new Set(there.map(({ path }) => path))
    const added = coming.filter(({ path, type }) => !had.has(path) && type !== 'd').map(({ path }) => path)
    const about = { paths: JSON.stringify(paths), added: JSON.stringify(added) }
    await notes.keep(kind, `${input.restore}`, c.actionId, about)
  }
  fence()
  for (const path of paths) {
    const parent = dirname(path)
    if (parent !== '.') await must(['mkdir', '-p', '--', `${input.path}/${parent}`], { as: account })
  }
  await copyTree(content, root, input, account, coming)
  say(`${coming.filter(({ type }) => type === 'f').length} files of ${input.path} are what they were`)
}

async function takeBack(c: Swap, paths: string[], about: Record<string, string>): Promise<void> {
  const { input, fence } = c
  const account = await ownerOf(input)
  const former = placed(input, formerOf(input.restore))
  const chosen = within(paths)
  fence()
  for (const path of JSON.parse(about.added ?? '[]') as string[])
    await must(['rm', '-f', '--', Buffer.from(`${input.path}/${path}`, 'latin1').toString('utf8')], { as: account })
  await copyTree(former, root, input, account, (await listTree(former, root)).filter(chosen))
}

const placed = ({ username }: Place, path: string): Place => ({ username, path })

/** Moves the former content of the website into the trash once the website is open again. */
export const keepRestore: Driver<'restore-files.keep'> = {
  async run({ input, actionId, say, fence }) {
    const note = await notes.find(kind, `${input.restore}`)
    if (!note) throw new Error(`the files of ${input.path} have not changed places`)
    fence()
    const from = note.about.paths ? formerOf(input.restore) : contentOf(input.restore)
    await throwAway(actionId, from, 'before-restore', kept(input))
    await clear(input.restore)
    say(`the former files of ${input.path} are in the trash`)
    return { kept: true }
  },
  async undo({ input, actionId, say, fence }) {
    const note = await notes.find(kind, `${input.restore}`)
    const there = await thrown(actionId, 'before-restore')
    if (!there || !note) return say('nothing was moved into the trash')
    fence()
    await ensureDirectory(base, { mode: 0o700 })
    await ensureDirectory(asideOf(input.restore), { mode: 0o700 })
    await bringBack(there)
    say(`the former files of ${input.path} are out of the trash`)
  },
  async inspect({ input, task }) {
    const aside = await lstat(asideOf(input.restore)).catch(absent)
    return (aside === undefined) === (task === 'run') ? 'yes' : 'no'
  },
}

/** The dump of a snapshot, gzipped as other dumps in the spool folder, complete or absent. */
export const fetchDump: Driver<'restore-dump.fetch'> = {
  async run({ input, say, fence }) {
    const file = await spooled(input.file)
    const aside = `${file}.part`
    await rm(aside, { force: true })
    fence()
    const gzip = createGzip({ level: 1 })
    let bytes = 0
    const counting = new Transform({
      transform(part: Buffer, _, done) {
        bytes += part.length
        done(null, part)
      },
    })
    const picked = input.tables && pickTables(input.tables)
    const picking = picked ? [picked.through] : []
    const written = pipeline([counting, ...picking, gzip, createWriteStream(aside, { mode: 0o600, flags: 'wx' })])
    const reached = await remote(input)
    const words = ['dump', '--retry-lock', '2h', input.snapshot, `/${input.name}.sql`]
    const [said, wrote] = await Promise.allSettled([
      leavingNoLock(input, `dump-${input.file}`, reached, words, { to: counting }).then((ended) => {
        if (ended.code !== 0) throw new Error(whyOf(ended))
      }),
      written,
    ])
    if (said.status === 'rejected' || wrote.status === 'rejected') {
      await rm(aside, { force: true })
      throw said.status === 'rejected' ? said.reason : (wrote as PromiseRejectedResult).reason
    }
    const missing = picked?.missing() ?? []
    if (missing.length) {
      await rm(aside, { force: true })
      throw new Error(`the backup of ${input.name} does not have ${missing.join(', ')}`)
    }
    await putInPlace(aside, file)
    say(`${bytes} bytes of ${input.name} are there`)
    return { file: input.file, bytes }
  },
  async undo({ input, say }) {
    const file = await spooled(input.file)
    await remove(`${file}.part`) // of an agent that was killed
    await dropDeadLocks(input)
    say((await remove(file)) ? `${input.file} is gone` : `${input.file} was gone already`)
  },
  inspect: async () => 'no', // a repeat is harmless
}

export function said5(say: (text: string) => void) {
  let last = performance.now()
  return (message: Record<string, unknown>) => {
    if (performance.now() - last < 5000) return
    last = performance.now()
    say(`${numberIn(message, 'files_restored')} files, ${numberIn(message, 'bytes_restored')} bytes`)
  }
}
