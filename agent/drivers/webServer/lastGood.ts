import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { absent, noteWrite, putInPlace, read, remove, replace } from '../../kit/host.ts'

/** Files and their content; undefined removes the file. */
export type Changes = Record<string, string | undefined>

const ending = '.last-good'
/**
 * Where the former content of a file is kept during a change. No pattern takes a name that begins with a dot: Debian's nginx
 * includes every other file of `sites-enabled`.
 */
export const beside = (file: string) => `${dirname(file)}/.${basename(file)}${ending}`
const none = '# there was no such file\n'

/** Keeps the former content beside the files, so that a retry after a crash restores that, not a partial change. */
export async function keepGood(changes: Changes): Promise<Changes> {
  const good: Changes = {}
  const made: string[] = []
  try {
    for (const file of Object.keys(changes)) {
      const kept = await read(beside(file))
      if (kept === undefined) made.push(beside(file))
      good[file] = kept === undefined ? await read(file) : kept === none ? undefined : kept
      await replace(beside(file), good[file] ?? none)
    }
  } catch (error) {
    // nothing has changed yet: what a full disk cut short must not count as the former content later
    for (const one of made) await remove(one)
    throw error
  }
  return good
}

/** Puts the former files back by renaming what was kept, which needs no room on a full disk. */
export async function putGoodBack(changes: Changes): Promise<void> {
  for (const file of Object.keys(changes)) {
    if ((await read(beside(file))) !== none) await putInPlace(beside(file), file)
    else await remove(file)
  }
}

export async function dropGood(changes: Changes): Promise<void> {
  for (const file of Object.keys(changes)) await remove(beside(file))
}

/** Notes the former files as Innkeeper's own once they are back. */
export function noteGood(good: Changes): void {
  for (const [file, content] of Object.entries(good)) if (content !== undefined) noteWrite(file, content)
}

export async function write(changes: Changes): Promise<void> {
  for (const [file, content] of Object.entries(changes))
    if (content === undefined) await remove(file)
    else await replace(file, content)
}

/** The files that have another content, or one that nobody has tested. */
export async function differing(changes: Changes): Promise<Changes> {
  const found: Changes = {}
  for (const [file, content] of Object.entries(changes))
    if ((await read(file)) !== content || (await read(beside(file))) !== undefined) found[file] = content
  return found
}

/**
 * Files in the folders of the web server that a killed agent left without a test. Whoever holds the lock is alone with them;
 * the action that wrote them is tried again by itself.
 */
export async function leftIn(folder: string): Promise<Changes> {
  const found: Changes = {}
  for (const inner of (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? []) {
    if (!inner.isDirectory()) continue
    for (const name of await readdir(`${folder}/${inner.name}`))
      if (name.startsWith('.') && name.endsWith(ending))
        found[`${folder}/${inner.name}/${name.slice(1, -ending.length)}`] = undefined
  }
  return found
}
