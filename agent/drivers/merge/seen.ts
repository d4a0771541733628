import { readdir, rm } from 'node:fs/promises'
import { absent, ensureDirectory, places, read, replace } from '../../kit/host.ts'
import type { Entry } from '../files/tree.ts'

const folder = `${places.state}/copies`
const prefixOf = (copy: number) => `${copy}-seen-`
const fileOf = (copy: number, digest: string) => `${folder}/${prefixOf(copy)}${digest.slice(0, 32)}.json`

/**
 * The state of a live website that a merge was confirmed for. The digest alone shows that files changed since, the
 * listing shows which.
 */
export const seenStates = {
  async keep(copy: number, digest: string, entries: Entry[]): Promise<void> {
    await this.drop(copy)
    await ensureDirectory(folder, { mode: 0o700 })
    await replace(fileOf(copy, digest), JSON.stringify(entries), { mode: 0o600 })
  },
  async find(copy: number, digest: string): Promise<Entry[] | undefined> {
    const text = await read(fileOf(copy, digest)).catch(absent)
    return text === undefined ? undefined : (JSON.parse(text) as Entry[]) // written by `keep`
  },
  async drop(copy: number): Promise<void> {
    const names = (await readdir(folder).catch(absent)) ?? []
    for (const name of names) if (name.startsWith(prefixOf(copy))) await rm(`${folder}/${name}`, { force: true })
  },
}
