import { rm } from 'node:fs/promises'
import type { Driver } from '../kit/driver.ts'
import { absent, ensureDirectory, must, places, read, replace } from '../kit/host.ts'
import { compareTrees, copyTree, type Entry, leftOut, listTree, ownerOf, type Place, shown } from './tree.ts'

const MOST_SHOWN = 200
const folder = `${places.state}/copies`
const fileOf = (copy: number) => `${folder}/${copy}.json`

/** What a folder was when it was copied. */
interface Manifest {
  at: string
  entries: Entry[]
}

export const copyDocumentRoot: Driver<'document-root.copy'> = {
  async run({ input, say, fence }) {
    const { copy, from } = input
    const [reader, writer] = [await ownerOf(from), await ownerOf(input)]
    const at = new Date().toISOString()
    const all = await listTree(from, reader)
    const left = all.filter((one) => leftOut(one) !== undefined)
    const wanted = all.filter((one) => leftOut(one) === undefined)
    fence()
    await clear(input, writer)
    await copyTree(from, reader, input, writer, wanted)
    await must(['sync', '--file-system', '--', input.path], { as: writer, timeoutMs: 600_000 })
    await verify(wanted, from, input)
    await ensureDirectory(folder, { mode: 0o700 })
    await replace(fileOf(copy), JSON.stringify({ at, entries: wanted } satisfies Manifest), { mode: 0o600 })
    const files = wanted.filter(({ type }) => type === 'f')
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    say(`${files.length} files, ${bytes} bytes`)
    for (const one of left.slice(0, 50)) say(`left out: ${shown(one.path)} ${leftOut(one)}`)
    const told = left.slice(0, MOST_SHOWN).map((one) => ({ path: shown(one.path), why: leftOut(one) }))
    return { at, files: files.length, bytes, left: told, leftOut: left.length }
  },
  async undo({ input, say, fence }) {
    fence()
    await clear(input, await ownerOf(input))
    await rm(fileOf(input.copy), { force: true })
    say(`${input.path} is empty`)
  },
  inspect: async () => 'no', // once more makes it what it is now
}

const clear = ({ path }: Place, as: { uid: number; gid: number }) =>
  must(['find', path, '-xdev', '-mindepth', '1', '-delete'], { as, timeoutMs: 3_600_000 })

/** All of it is there, or is another on the other side by now. */
async function verify(wanted: Entry[], from: Place, to: Place): Promise<void> {
  const wrong = compareTrees(wanted, await listTree(to, await ownerOf(to)))
  const different = [...wrong.added, ...wrong.changed, ...wrong.gone]
  if (!different.length) return
  const since = compareTrees(wanted, await listTree(from, await ownerOf(from)))
  const moving = new Set([...since.added, ...since.changed, ...since.gone].map(({ path }) => path))
  const torn = different.filter(({ path }) => !moving.has(path))
  if (torn.length)
    throw new Error(`${torn.length} are not what was copied: ${torn.slice(0, 5).map((one) => shown(one.path))}`)
}

/** Which files of a website are others than when it was copied. */
export const documentRootChanges: Driver<'document-root.changes'> = {
  async run({ input }) {
    const kept = await read(fileOf(input.copy)).catch(absent)
    if (kept === undefined) return { known: false }
    const { at, entries } = JSON.parse(kept) as Manifest // our own file, written above
    const now = (await listTree(input, await ownerOf(input))).filter((one) => leftOut(one) === undefined)
    const { added, changed, gone } = compareTrees(entries, now)
    const files = (some: Entry[]) => some.filter(({ type }) => type !== 'd')
    const told = (what: string, some: Entry[]) =>
      files(some)
        .slice(0, MOST_SHOWN)
        .map(({ path, size }) => ({ path: shown(path), what, bytes: size }))
    return {
      known: true,
      at,
      added: files(added).length,
      changed: files(changed).length,
      gone: files(gone).length,
      items: [...told('changed', changed), ...told('added', added), ...told('gone', gone)].slice(0, MOST_SHOWN),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // looking once more is harmless
}
