import { lstat, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { must } from '../programs/run.ts'
import { absent, codeOf, ensureDirectory, inside, openFolder, read, replace, syncFolder } from './files.ts'
import { places } from './places.ts'

/** A trash entry: the deleted file or folder, and the data that undo needs to restore it. */
export interface Thrown {
  path: string
  from: string
  about: Record<string, string | number>
}

/**
 * Moves a file or folder into the trash, readable only by root, as `<stamp>-<action>-<label>`. Follows no symlink on
 * the path; a symlink at `from` is moved itself. Returns undefined when `from` does not exist.
 */
export async function throwAway(
  actionId: number,
  from: string,
  label: string,
  about: Thrown['about'] = {},
): Promise<string | undefined> {
  const parent = await openFolder(dirname(from))
  try {
    if (!parent || !(await lstat(inside(parent, from)).catch(absent))) return undefined
    await ensureDirectory(places.trash, { mode: 0o700 })
    const path = `${places.trash}/${stampNow()}-${actionId}-${label}`
    await replace(`${path}.json`, JSON.stringify({ from, about }), { mode: 0o600 })
    await move(inside(parent, from), path)
    return path
  } finally {
    await parent?.close()
  }
}

/** Moves a file that the action made for the trash, such as a dump. A full disk keeps nothing of it. */
export async function throwMade(
  actionId: number,
  from: string,
  label: string,
  about: Thrown['about'] = {},
): Promise<void> {
  try {
    await throwAway(actionId, from, label, about)
  } catch (error) {
    await rm(from, { force: true })
    throw error
  }
}

/** Saves the content that an action is about to overwrite as a trash entry, for its undo. */
export async function keepCopy(actionId: number, from: string, label: string, content: string): Promise<void> {
  await ensureDirectory(places.trash, { mode: 0o700 })
  const path = `${places.trash}/${stampNow()}-${actionId}-${label}`
  await replace(`${path}.json`, JSON.stringify({ from, about: {} }), { mode: 0o600 })
  await replace(path, content, { mode: 0o600 })
}

const stampNow = () => new Date().toISOString().replace(/[-:]|\.\d+/g, '')

/** The newest trash entry of an action and label. */
export async function thrown(actionId: number, label: string): Promise<Thrown | undefined> {
  const names = await readdir(places.trash).catch(absent)
  const mine = names?.filter((name) => name.endsWith(`-${actionId}-${label}`)).toSorted()
  const name = mine?.at(-1)
  return name === undefined ? undefined : noteOf(name)
}

/** Trash entries of an action whose label matches. */
export async function thrownLike(actionId: number, label: RegExp): Promise<Thrown[]> {
  const names = (await readdir(places.trash).catch(absent)) ?? []
  const found: Thrown[] = []
  for (const name of names) {
    const [, by, rest = ''] = name.match(/^\d{8}T\d{6}Z-(\d+)-(.*)$/) ?? []
    const one = Number(by) === actionId && label.test(rest) ? await noteOf(name) : undefined
    if (one) found.push(one)
  }
  return found
}

async function noteOf(name: string): Promise<Thrown | undefined> {
  const noted = await read(`${places.trash}/${name}.json`)
  // our own file, written by throwAway
  return noted ? { path: `${places.trash}/${name}`, ...(JSON.parse(noted) as Omit<Thrown, 'path'>) } : undefined
}

/** Default retention of a trash entry, in days. */
const TRASH_DAYS = 30
/** Days that the control plane has to purge the entries that it asked to keep. */
const GRACE_DAYS = 3

/** Names of trash entries past their retention; names without a timestamp are ignored. */
export function overdue(names: string[], now: Date, daysOf = (_: string) => TRASH_DAYS): string[] {
  const end = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString().replace(/[-:]|\.\d+/g, '')
  return names.filter((name) => /^\d{8}T\d{6}Z-/.test(name) && name < end(daysOf(name)))
}

/** Deletes trash entries past their retention. Returns the number of deleted names. */
export async function emptyTrash(now = new Date()): Promise<number> {
  const names = (await readdir(places.trash).catch(absent)) ?? []
  const days = new Map<string, number>()
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const { keepDays } = (await noteOf(name.slice(0, -5)))?.about ?? {}
    if (typeof keepDays !== 'number') continue
    for (const one of [name, name.slice(0, -5)]) days.set(one, keepDays + GRACE_DAYS)
  }
  const gone = overdue(names, now, (name) => days.get(name) ?? TRASH_DAYS)
  for (const name of gone) await takeAway(name)
  return gone.length
}

/** Deletes the trash entries of these actions. Returns their number. */
export async function purge(actionIds: readonly number[]): Promise<number> {
  const names = (await readdir(places.trash).catch(absent)) ?? []
  const theirs = names.filter((name) => actionIds.includes(Number(name.match(/^\d{8}T\d{6}Z-(\d+)-/)?.[1])))
  for (const name of theirs) await takeAway(name)
  return theirs.filter((name) => !name.endsWith('.json')).length
}

/** Deletes one trash entry whose content has been restored. */
export async function takeOut({ path }: Thrown): Promise<void> {
  for (const one of [path, `${path}.json`]) await takeAway(basename(one))
}

const takeAway = (name: string) => must(['rm', '-rf', '--one-file-system', '--', `${places.trash}/${name}`])

/** Restores a trash entry to its old path. Refuses when that path exists again. */
export async function bringBack({ path, from }: Thrown): Promise<void> {
  const parent = await openFolder(dirname(from))
  try {
    if (!parent) throw new Error(`${dirname(from)} is gone: ${basename(path)} stays in the trash`)
    if (await lstat(inside(parent, from)).catch(absent))
      throw new Error(`${from} exists again: ${basename(path)} stays in the trash`)
    await move(path, inside(parent, from))
    await rm(`${path}.json`, { force: true })
  } finally {
    await parent?.close()
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    // another file system: copy to a `.part` name first, so that the target is complete or absent
    await must(['rm', '-rf', '--', `${to}.part`])
    await must(['cp', '--archive', '--no-target-directory', '--', from, `${to}.part`])
    await rename(`${to}.part`, to)
    await must(['rm', '-rf', '--one-file-system', '--', from]) // rm is safe from symlink races
  }
  await syncFolder(dirname(to))
}
