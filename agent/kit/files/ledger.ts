import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { places } from './places.ts'

/*
 * Records what this agent writes below /etc, so that a later look can tell its writes from those of people. A line is
 * written before its effect: after a crash, a line without effect matches no file.
 *   w <sha256> <path>   a driver wrote this content: Innkeeper owns the file
 *   r <sha256> <path>   a reset restored this content, of whoever wrote it first
 *   d - <path>          a driver removed the file
 *   p <from> <to>       programs that change files below /etc ran from .. to (ms since the epoch)
 */
const file = `${places.state}/written`
const MOST_BYTES = 2_000_000
const WINDOWS = 500
const within = /^\/etc\/|^\/var\/spool\/cron\/crontabs\//
/** Working copies of drivers, which are no configuration. */
const aside = /\.(?:new|last-good)$/

const resetting = new AsyncLocalStorage<true>()
export const sha = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

function note(line: string): void {
  mkdirSync(places.state, { recursive: true, mode: 0o700 })
  appendFileSync(file, `\n${line}\n`, { mode: 0o600 }) // a full disk may have cut the line before
}
const counts = (path: string) => within.test(path) && !aside.test(path) && !path.includes('\n')

/** Runs a restore: its writes do not make Innkeeper the owner of the files. */
export const asReset = <T>(work: () => Promise<T>): Promise<T> => resetting.run(true, work)

export function noteWrite(path: string, content: string | Uint8Array): void {
  if (counts(path)) note(`${resetting.getStore() ? 'r' : 'w'} ${sha(content)} ${path}`)
}
export function noteRemoval(path: string): void {
  if (counts(path)) note(`${resetting.getStore() ? 'r' : 'd'} - ${path}`)
}

const changers = new Set([
  ...['useradd', 'usermod', 'userdel', 'groupadd', 'groupmod', 'groupdel', 'chpasswd', 'crontab'],
  ...['postconf', 'newaliases', 'update-rc.d', 'a2enmod', 'a2dismod'],
])
const verbs = new Set(['enable', 'disable', 'mask', 'unmask'])
/** Whether a program changes files below /etc without `replace`. */
export const changesFiles = ([program = '', verb = '']: readonly string[]) =>
  changers.has(program) || (program === 'systemctl' && verbs.has(verb))
export const noteProgram = (from: number, to: number): void => note(`p ${Math.floor(from)} ${Math.ceil(to)}`)

/** What Innkeeper did to a file last: `by` its last write of any kind, `own` the last one of a driver. */
interface Written {
  by?: string
  own?: string
}
export interface Ledger {
  files: Map<string, Written>
  windows: (readonly [from: number, to: number])[]
}

/** Reads the ledger, and shortens it when it has grown. */
export function readLedger(): Ledger {
  const files = new Map<string, Written>()
  const windows: (readonly [number, number])[] = []
  for (const line of textOf().split('\n')) {
    const [kind, a = '', ...rest] = line.split(' ')
    const path = rest.join(' ')
    if (kind === 'p') windows.push([Number(a), Number(path)])
    else if (kind === 'w' || kind === 'd') files.set(path, { by: a, own: a })
    else if (kind === 'r') files.set(path, { ...files.get(path), by: a })
  }
  const ledger = { files, windows: windows.slice(-WINDOWS) }
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) shorten(ledger)
  return ledger
}

function textOf(): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** Synchronous, so that no line of this process is lost between reading and renaming. */
function shorten({ files, windows }: Ledger): void {
  const lines = [...files].flatMap(([path, { by, own }]) => [
    ...(own ? [`${own === '-' ? 'd' : 'w'} ${own} ${path}`] : []),
    ...(by && by !== own ? [`r ${by} ${path}`] : []),
  ])
  const text = [...lines, ...windows.map(([from, to]) => `p ${from} ${to}`), ''].join('\n')
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

/** Marks a file as Innkeeper's that an agent without a ledger wrote. */
export const adopt = (path: string, hash: string): void => note(`w ${hash} ${path}`)
