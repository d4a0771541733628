import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { absent, append, ensureDirectory, places, read, remove, replace } from '../../kit/host.ts'

/**
 * An entry: addresses in a form that sorts in numerical order, their text for nft, and its end in seconds since 1970;
 * 0: never.
 */
export interface Entry {
  first: string
  last: string
  text: string
  until: number
}
export interface KeptIpSet {
  change: number
  /** Entries that have not ended, ordered by address, without overlaps. */
  lines: string[]
  /** Size of the complete part of the file in bytes. */
  size: number
  /** Number of lines appended since the file was last written whole. */
  added: number
}

/** Entry lines that a change removes (`gone`) and adds (`come`). */
export interface Delta {
  gone: string[]
  come: string[]
}

/** The line of an entry. Lines are compared as text, so that a change does not parse the whole set. */
export const lineOf = ({ first, last, text, until }: Entry) => `${first} ${last} ${text} ${until}`
export function entryIn(line: string): Entry {
  const [first = '', last = '', text = '', until = ''] = line.split(' ')
  return { first, last, text, until: Number(until) }
}
export const isLive = (line: string, at: number) =>
  line.endsWith(' 0') || Number(line.slice(line.lastIndexOf(' ') + 1)) > at
export const seconds = () => Math.floor(Date.now() / 1000)

/** The files that are loaded at boot; see ipSetTable.ts. */
export const setFolder = `${places.state}/ip-sets`
const fileOf = (set: string) => `${setFolder}/sets/${set}`

/** The names of the sets on this server. */
export const setNames = async (): Promise<string[]> =>
  ((await readdir(`${setFolder}/sets`).catch(absent)) ?? []).filter((name) => !name.endsWith('.new')).sort()

export async function readSet(set: string, now = seconds()): Promise<KeptIpSet | undefined> {
  const text = await read(fileOf(set))
  return text === undefined ? undefined : setIn(text, now)
}

const CHANGED = /^[+-] [46][0-9a-f]+ [46][0-9a-f]+ [0-9a-f.:-]+ \d+$/

/**
 * Parses a set file: `# change 7` and the entries at that change, in order; then per later change its removed (`-`) and
 * added (`+`) lines, closed by `# change 8 2` with their number. A change without that last line was interrupted and is
 * ignored.
 */
export function setIn(text: string, now: number): KeptIpSet {
  const [head = '', ...lines] = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  // always found: the last element is the empty text after the last line break
  const begun = lines.findIndex((line) => !/^[46]/.test(line))
  const base = lines.slice(0, begun)
  const found = { change: Number(head.replace('# change ', '')), added: 0 }
  let size = base.reduce((sum, line) => sum + line.length + 1, head.length + 1)
  const last = new Map<string, boolean>()
  let pending: string[] = []
  for (const line of lines.slice(begun)) {
    if (CHANGED.test(line)) pending.push(line)
    else {
      const [, change, many] = /^# change (\d+) (\d+)$/.exec(line) ?? []
      if (change === undefined || Number(many) !== pending.length) break
      for (const one of pending) last.set(one.slice(2), one.startsWith('+'))
      size = pending.reduce((sum, one) => sum + one.length + 1, size + line.length + 1)
      found.change = Number(change)
      found.added += pending.length + 1
      pending = []
    }
  }
  const come = [...last].flatMap(([line, there]) => (there ? line : []))
  const all = last.size ? [...base.filter((line) => !last.has(line)), ...come].sort() : base
  return { ...found, size, lines: all.filter((line) => isLive(line, now)) }
}

/** Once more lines are appended than the set has entries plus this number, the file is written whole. */
const SPARE = 1000

/** Writes a set to its file. Appends small changes, so that one ban costs one line. */
export async function writeSet(
  set: string,
  before: KeptIpSet | undefined,
  change: number,
  { gone, come }: Delta,
): Promise<void> {
  const changed = [...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)]
  if (before && before.added + changed.length < before.lines.length + SPARE) {
    if (!changed.length && before.change === change) return
    const text = [...changed, `# change ${change} ${changed.length}`, ''].join('\n')
    return append(fileOf(set), before.size, text)
  }
  await ensureDirectory(setFolder, { mode: 0o700 })
  await ensureDirectory(`${setFolder}/sets`, { mode: 0o700 })
  const went = new Set(gone)
  const lines = [...(before?.lines ?? []).filter((line) => !went.has(line)), ...come].sort()
  await replace(fileOf(set), [`# change ${change}`, ...lines, ''].join('\n'), { mode: 0o600 })
}
export async function dropSet(set: string): Promise<void> {
  await remove(fileOf(set))
  await remove(portsFile(set))
}

const portsFile = (set: string) => `${setFolder}/ports/${set}`
/** The ports of this server whose packets the set drops; undefined: all ports. */
export async function portsOf(set: string): Promise<number[] | undefined> {
  const text = await read(portsFile(set))
  return text?.split(' ').map(Number)
}
export async function writePorts(set: string, ports: readonly number[] | undefined): Promise<void> {
  if (!ports) return void (await remove(portsFile(set)))
  for (const folder of [setFolder, `${setFolder}/ports`]) await ensureDirectory(folder, { mode: 0o700 })
  await replace(portsFile(set), ports.join(' '), { mode: 0o600 })
}

/** sha256 of the entries that are live at a time; the control plane computes the same. */
export function digestOf(lines: readonly string[], at: number): string {
  const said = lines
    .filter((line) => isLive(line, at))
    .map(entryIn)
    .map(({ first, last, until }) => `${first} ${last} ${until}`)
  return createHash('sha256').update(said.join('\n')).digest('hex')
}
