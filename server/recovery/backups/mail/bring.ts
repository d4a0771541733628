import type { WantedMail } from '@innkeeper/contract/recovery/backups/mailShapes'
import * as z from 'zod'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { mailMerge, mailPrepare } from '../actions.ts'
import { type Access, remoteOf, withProgram } from '../repositories/access.ts'
import { type Backup, mailIn, type Previewed } from './mailOfBackup.ts'

/** Mail of a backup beside the mailboxes that would receive it. */
export const mailPreview = async (db: Db, backup: Backup, websiteId: number): Promise<Previewed[]> =>
  (await mailIn(db, backup, websiteId)).map(({ snapshot: _, now: __, ...shown }) => shown)

export interface BringingMail {
  /** Before the website is closed: nothing has changed if this fails. */
  prepare: PlanStep[]
  merge: PlanStep[]
  locks: string[]
  domains: { id: number; domain: string }[]
  /** Addresses without a mailbox. */
  gone: string[]
}
export const noMail: BringingMail = { prepare: [], merge: [], locks: [], domains: [], gone: [] }

/** Steps that restore the chosen mail. Refuses mail that the backup lacks or that cannot be restored. */
export async function bringMail(
  db: Db,
  backup: Backup,
  access: Access,
  { restoreId, websiteId, mail = [] }: { restoreId: number; websiteId: number; mail?: WantedMail | undefined },
): Promise<BringingMail> {
  const refuse = (why: string) => refused(why, { mail: why })
  if (!mail.length) return noMail
  const all = await mailIn(db, backup, websiteId)
  const made: BringingMail = { prepare: [], merge: [], locks: [], domains: [], gone: [] }
  const programs = new Set<number>()
  for (const { mailboxId, users } of mail) {
    const found = all.find(({ id }) => id === mailboxId)
    if (!found) throw refuse(`Mail domain ${mailboxId} is not in this backup`)
    const { now, closed, domain } = found
    if (closed || !now) throw refuse(closed ?? `There is no mail domain ${domain} now`)
    const strange = users?.find((id) => !found.mailboxes.some((one) => one.id === id))
    if (strange !== undefined) throw refuse(`Mailbox ${strange} of ${domain} is not in this backup`)
    const chosen = found.mailboxes.filter(({ id }) => !users || users.includes(id))
    const coming = chosen.flatMap(({ id, into }) => (into === null ? [] : { from: id, userId: into }))
    const gone = chosen.flatMap(({ into, address }) => (into === null ? address : []))
    if (!coming.length) {
      const names = gone.slice(0, 5).join(', ')
      throw refuse(
        names
          ? `${names} was deleted: create it again, or bring it back from the deleted mailboxes, then restore its mail`
          : `${domain} has no mailbox`,
      )
    }
    made.gone.push(...gone)
    made.domains.push({ id: now.id, domain: now.domain })
    made.locks.push(`mailbox:${now.id}`)
    const on = { server: now.serverId, resource: { type: 'restored-mail', id: now.id, name: now.domain } }
    const common = { restore: restoreId, mailboxId: now.id, domain: now.domain, users: coming }
    const known = found.listed ? chosen.reduce((sum, { bytes }) => sum + bytes, 0) : found.bytes
    if (!programs.has(now.serverId)) made.prepare.push(withProgram({ id: now.serverId, name: now.serverName }))
    programs.add(now.serverId)
    made.prepare.push(step(mailPrepare, { ...remoteOf(access), ...common, snapshot: found.snapshot, bytes: known }, on))
    made.merge.push(step(mailMerge, common, on))
  }
  return made
}

const Merged = z.object({ messages: z.int(), present: z.int(), left: z.int() })
/** What a server answered about the mail of a domain, in words. */
export function mergedText(output: unknown): { message: string; partial: boolean } | undefined {
  const found = Merged.safeParse(output).data
  if (!found) return undefined
  const { messages, present, left } = found
  const lost = left ? `; ${left} files have names that no mail server makes: they are left out` : ''
  return { message: `${messages} messages came back, ${present} were there${lost}`, partial: left > 0 }
}
