import { rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, must, places, replace } from '../../kit/host.ts'
import { compareTrees, copyTree, type Entry, leftOut, listTree, ownerOf, type Place, shown } from './tree.ts'

const MOST_SHOWN = 200
const folder = `${places.state}/copies`
export const manifestOf = (copy: number) => `${folder}/${copy}.json`

/** The state of a folder when it was copied. */
export interface Manifest {
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
    await must(['sync', '--file-system', '--', input.path], { as: writer })
    await verify(wanted, from, input)
    await ensureDirectory(folder, { mode: 0o700 })
    await replace(manifestOf(copy), JSON.stringify({ at, entries: wanted } satisfies Manifest), { mode: 0o600 })
    const files = wanted.filter(({ type }) => type === 'f')
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    say(`${files.length} files, ${bytes} bytes`)
    for (const one of left.slice(0, 50)) say(`left out: ${shown(one.path)} ${leftOut(one)}`)
    const listed = left.slice(0, MOST_SHOWN).map((one) => ({ path: shown(one.path), why: leftOut(one) }))
    return { at, files: files.length, bytes, left: listed, leftOut: left.length }
  },
  async undo({ input, say, fence }) {
    fence()
    await clear(input, await ownerOf(input))
    await rm(manifestOf(input.copy), { force: true })
    say(`${input.path} is empty`)
  },
  inspect: async () => 'no', // a repeat brings the copy up to date
}

const clear = ({ path }: Place, as: { uid: number; gid: number }) =>
  must(['find', path, '-xdev', '-mindepth', '1', '-delete'], { as })

/** Checks that every file arrived; skips files that have changed since in the source. */
async function verify(wanted: Entry[], from: Place, to: Place): Promise<void> {
  const wrong = compareTrees(wanted, await listTree(to, await ownerOf(to)))
  const different = [...wrong.added, ...wrong.changed, ...wrong.gone]
  if (!different.length) return
  const since = compareTrees(wanted, await listTree(from, await ownerOf(from)))
  const moving = new Set([...since.added, ...since.changed, ...since.gone].map(({ path }) => path))
  const torn = different.filter(({ path }) => !moving.has(path))
  if (torn.length)
    throw new Error(`${torn.length} differ from the source: ${torn.slice(0, 5).map((one) => shown(one.path))}`)
}
