import type { FoundMailDomain } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import * as z from 'zod'
import type { Made } from './tables.ts'

export const line = (
  kind: ReportLine['kind'],
  name: string,
  what: string,
  archive: number | string,
  here: number | string,
): ReportLine => ({
  ...{ kind, name, what, archive: `${archive}`, here: `${here}` },
  verdict: `${archive}` === `${here}` ? 'same' : 'differs',
})

/** Files among the refused members. */
export const lostOf = (refused: Record<string, number>) =>
  Object.entries(refused)
    .filter(([why]) => why === 'name occurs twice' || why === 'member below a link' || why.startsWith('hard link'))
    .reduce((all, [, n]) => all + n, 0)

const count = z.int()
const Poured = z.object({
  mailboxes: z.array(z.object({ userId: count, messages: count, refused: z.record(z.string(), count) })),
})
interface Counted {
  mailboxId: number
  mailboxes: readonly { userId: number; messages: number }[]
}

/**
 * Messages of the archive that were written. Mail from other people of the server arrives as soon as a mailbox is here: it
 * stays, and is counted apart. `of`: what a step has answered.
 */
export function reportMail(
  found: readonly FoundMailDomain[],
  made: Made['mailboxes'],
  of: (name: string, id?: number) => unknown,
  counted: readonly Counted[],
): ReportLine[] {
  return made.flatMap(({ id, domain, from, users }) => {
    const poured = users.length ? Poured.parse(of('archive.mail', id)) : { mailboxes: [] }
    const there = counted.find((one) => one.mailboxId === id)
    return users.flatMap(({ userId, address }) => {
      const local = address.slice(0, -domain.length - 1)
      const box = found.find((one) => one.domain === from)?.mailboxes.find(({ name }) => name.toLowerCase() === local)
      const one = poured.mailboxes.find((written) => written.userId === userId)
      const written = (one?.messages ?? 0) - lostOf(one?.refused ?? {})
      const here = there?.mailboxes.find((now) => now.userId === userId)?.messages ?? 0
      const same = line('mail', address, 'messages', box?.messages ?? 0, Math.min(written, here))
      if (here <= written) return [same]
      const what = 'messages that came to it here meanwhile, and stay'
      return [same, { ...line('mail', address, what, 0, here - written), verdict: 'kept' as const }]
    })
  })
}
