import { readdir, readFile } from 'node:fs/promises'

interface Seen {
  pid: number
  /** The name of its program, cut after 15 characters. */
  name: string
  parent: number
  group: number
  /** Runs, waits for a processor or for a disk. */
  busy: boolean
  /** Time on processors, also of its ended children, in ticks of 10 ms. */
  ticks: number
}

/** What a set of processes has done. */
export interface Work {
  count: number
  busy: boolean
  ticks: number
  /** Bytes that the processes have read and written. */
  bytes: number
}

async function processes(): Promise<Seen[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''))) // ended
  return texts.flatMap((text) => {
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (fields.length < 15) return []
    const at = (n: number) => Number(fields[n])
    const ticks = at(11) + at(12) + at(13) + at(14)
    const busy = fields[0] === 'R' || fields[0] === 'D'
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    return { pid: Number.parseInt(text, 10), name, parent: at(1), group: at(2), busy, ticks }
  })
}

/** What a program has done, with its process group and all descendants. */
export async function workOfProgram(pid: number): Promise<Work> {
  const all = await processes()
  const ours = new Set(all.filter((one) => one.pid === pid || one.group === pid).map((one) => one.pid))
  for (let size = -1; size !== ours.size; ) {
    size = ours.size
    for (const one of all) if (ours.has(one.parent)) ours.add(one.pid)
  }
  return sum(all.filter((one) => ours.has(one.pid)))
}

/** What all processes with this name have done. */
export const workOfNamed = async (name: string): Promise<Work> =>
  sum((await processes()).filter((one) => one.name === name))

/** The processes with this name. */
export const pidsNamed = async (name: string): Promise<number[]> =>
  (await processes()).filter((one) => one.name === name).map(({ pid }) => pid)

/** What the processes of a unit have done. */
export async function workOfUnit(unit: string): Promise<Work> {
  const all = await processes()
  const groups = await Promise.all(all.map(({ pid }) => readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')))
  return sum(all.filter((_, at) => groups[at]?.split('\n').some((line) => `${line}/`.includes(`/${unit}.service/`))))
}

async function sum(some: readonly Seen[]): Promise<Work> {
  const texts = await Promise.all(some.map(({ pid }) => readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')))
  const bytes = texts.flatMap((text) => [...text.matchAll(/^[rw]char: (\d+)$/gm)].map(([, n]) => Number(n)))
  return {
    count: some.length,
    busy: some.some(({ busy }) => busy),
    ticks: some.reduce((all, { ticks }) => all + ticks, 0),
    bytes: bytes.reduce((all, n) => all + n, 0),
  }
}

/** The name of a process as `ps` shows it, for people. */
export const nameOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
    .split('\0')
    .slice(0, 3)
    .join(' ')
    .trim()
    .slice(0, 120)
