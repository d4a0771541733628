import type { ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import * as z from 'zod'
import type { Made } from './tables.ts'
import { changesOf, loadedBy } from './verifyDump.ts'

const count = z.int()
const tally = z.object({ count, names: z.array(z.string()) })
/** What a repeated import answers, by `site-12` or `mail-7`. */
const BroughtAgain = z.object({
  at: z.int(),
  places: z.array(
    z.object({
      ...{ key: z.string(), same: count, kept: tally, gone: tally, replaced: count, brought: count },
      written: z.object({ files: count, links: count, refused: z.record(z.string(), count) }).nullable(),
    }),
  ),
})

/** What came, and what stayed because somebody changed or deleted it here. `of`: what a step has answered. */
export function reportAgain(made: Made, of: (name: string, id?: number) => unknown): ReportLine[] {
  const { places } = BroughtAgain.parse(of('archive.again'))
  const lines: ReportLine[] = []
  for (const { key, same, kept, gone, brought, replaced, written } of places) {
    const site = made.again?.websites.find(({ id }) => key === `site-${id}`)
    const [kind, name] = site
      ? (['website', site.domain] as const)
      : (['mail', `mailbox ${key.slice('mail-'.length)}`] as const)
    if (!site && !brought && !kept.count && !gone.count) continue // most mailboxes have nothing new
    const what = site ? 'files' : 'messages'
    const came = (written?.files ?? 0) + (written?.links ?? 0)
    const lost = Object.values(written?.refused ?? {}).reduce((all, n) => all + n, 0)
    lines.push({
      ...{
        kind,
        name,
        what: `${what} that came, ${replaced} in place of former ones`,
        archive: `${brought}`,
        here: `${came + lost}`,
      },
      verdict: came + lost >= brought ? 'same' : 'differs',
    })
    lines.push({
      ...{ kind, name, what: `${what} that are the same`, archive: `${same}`, here: `${same}` },
      verdict: 'same',
    })
    const stays = (of: typeof kept, why: string) => {
      if (of.count)
        lines.push({
          ...{ kind, name, what: `${what} that ${why} here since then, and stay so`, archive: `${of.count}` },
          ...{ here: `${of.names.join(', ')}${of.count > of.names.length ? ' and more' : ''}`, verdict: 'kept' },
        })
    }
    stays(kept, 'were changed')
    stays(gone, 'were deleted')
  }
  for (const { id, name } of made.databases) {
    const loaded = loadedBy(of, id)
    lines.push({
      ...{ kind: 'database', name, what: 'rows, in place of the former contents', verdict: 'changed' },
      ...{ archive: `${loaded.rows}`, here: `${loaded.rows} in ${loaded.tables} tables` },
    })
    lines.push(...changesOf(name, loaded))
  }
  return lines
}
