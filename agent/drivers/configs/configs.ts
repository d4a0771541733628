import type { ConfigContents, ConfigListing } from '@innkeeper/contract/agent/configs'
import type * as z from 'zod'
import type { Driver } from '../../kit/driver.ts'
import { origins, removerOf } from './authors.ts'
import { collect, names, walk } from './collect.ts'
import { forgetOld, machineKey } from './secrets.ts'

/** Bytes of JSON in one answer. The agent reports 256 KiB at most. */
const MOST_ANSWER = 200_000

/** Answers path, checksum and author of each file, as many as one answer holds. */
export const listConfigs: Driver<'configs.list'> = {
  async run({ input: { after } }) {
    const { found, skipped } = await walk()
    const [known, owners, key] = [await origins(), await names(), await machineKey()]
    if (after === undefined) await forgetOld()
    const files: z.input<typeof ConfigListing>['files'] = []
    let size = 0
    for (const one of found) {
      if (after !== undefined && one.path <= after) continue
      const collected = await collect(one, known, owners, key)
      if (!collected) continue
      size += JSON.stringify(collected.file).length + 1
      if (size > MOST_ANSWER) return { files, skipped, next: files.at(-1)?.path ?? null }
      files.push(collected.file)
    }
    return { files, skipped, next: null }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** Answers the contents of files that still have the listed checksum. */
export const readConfigs: Driver<'configs.read'> = {
  async run({ input: { files, gone } }): Promise<z.input<typeof ConfigContents>> {
    const wanted = new Map(files.map(({ path, hash }) => [path, hash]))
    const [known, owners, key] = [await origins(), await names(), await machineKey()]
    const answer: z.input<typeof ConfigContents> = {
      contents: [],
      rest: [],
      gone: gone.map((path) => ({ path, by: removerOf(path, known) })),
    }
    let size = 0
    for (const one of (await walk()).found) {
      const hash = wanted.get(one.path)
      if (hash === undefined) continue
      const collected = size > MOST_ANSWER ? undefined : await collect(one, known, owners, key)
      const content = collected?.content?.toString('base64')
      size += content?.length ?? 0
      if (size > MOST_ANSWER) answer.rest.push(one.path)
      else if (content !== undefined && collected?.file.hash === hash)
        answer.contents.push({ path: one.path, hash, content })
    }
    return answer
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
