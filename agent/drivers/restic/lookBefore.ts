import type { Driver } from '../../kit/driver.ts'
import { listTree, ownerOf, within } from '../files/tree.ts'

const types: Record<string, 'file' | 'dir' | 'symlink'> = { f: 'file', d: 'dir', l: 'symlink' }
const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString()

/** What a restore would replace: how much is in the folder, and which of the chosen paths exist. */
export const lookBefore: Driver<'restore-files.look'> = {
  async run({ input }) {
    const entries = (await listTree(input, await ownerOf(input))).filter(within(input.paths))
    let [files, bytes, newest] = [0, 0, 0]
    for (const { type, size, time } of entries) {
      if (type !== 'f') continue
      files += 1
      bytes += size
      newest = Math.max(newest, Number(time))
    }
    const chosen = new Map((input.paths ?? []).map((path) => [Buffer.from(path).toString('latin1'), path]))
    const existing = entries.flatMap(({ path, type, time }) => {
      const name = chosen.get(path)
      return name ? [{ path: name, type: types[type] ?? ('other' as const), modifiedAt: timeOf(Number(time)) }] : []
    })
    return { files, bytes, changedAt: newest ? timeOf(newest) : null, existing }
  },
  undo: async () => undefined,
  inspect: async () => 'no',
}
