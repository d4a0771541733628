import { ArchiveSecrets } from '@innkeeper/contract/agent/archives'
import { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import * as z from 'zod'
import type { Layout } from './layout.ts'

/** The first and the last member of an archive that an agent packs on an adopted machine. */
export const MANIFEST = 'innkeeper.json'
export const LAST = 'innkeeper.end'

const name = z.string().max(300)
/** Below the folder of a website, never out of it. */
const to = z.string().regex(/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,60}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,60}){0,5})?$/)
const Sealed = z.object({
  inventory: Inventory,
  secrets: ArchiveSecrets,
  rules: z
    .array(
      z.tuple([
        z.string().max(600),
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('site'), site: name, to }),
          z.object({ kind: z.literal('mail'), domain: name, account: name }),
          z.object({ kind: z.literal('dump'), database: name }),
        ]),
      ]),
    )
    .max(20_000),
  roots: z.record(name, z.array(z.object({ from: z.string().max(600), to })).max(20)),
})

/** What the manifest says. Anybody can write one: it is checked like the records of other panels. */
export function sealedLayout(text: string | undefined, names: ReadonlyMap<string, number>): Layout {
  if (!names.has(LAST)) throw new Error('It breaks off: its last member is missing')
  const read = Sealed.safeParse(JSON.parse(text ?? 'null'))
  if (!read.success) throw new Error(`Its ${MANIFEST} cannot be read: ${z.prettifyError(read.error).slice(0, 300)}`)
  return read.data
}
