import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkMailboxRoom } from '../create.ts'
import { hashOf, newPassword, setHashes } from '../hashes.ts'
import { readMailbox } from '../read.ts'
import { applied, hold } from '../startWorkflow.ts'
import { mailboxUsers } from '../tables.ts'
import { type CsvMailbox, type CsvProblem, readCsv } from './readCsv.ts'

const SHOWN = 100

export const csvHandlers: Pick<Handlers<typeof contract>, 'lookAtCsv' | 'addCsv'> = {
  async lookAtCsv({ id, csv }, { db }) {
    const { mailboxes, errors } = await look(db, await readMailbox(db, id), csv)
    const bad = new Set(errors.map(({ line }) => line))
    return {
      items: mailboxes
        .filter(({ line }) => !bad.has(line))
        .map(({ line, address, name, quotaMb, password, hash }) => ({
          ...{ line, address, name, quotaMb },
          password: hash ? ('hash' as const) : password ? ('given' as const) : ('chosen' as const),
        })),
      errors: errors.slice(0, SHOWN),
    }
  },

  async addCsv({ id, csv }, context) {
    const { db, staff, audit } = context
    const mailbox = await hold(context, id)
    const { mailboxes, errors } = await look(db, mailbox, csv)
    refuse(errors)
    await checkMailboxRoom(db, mailbox.websiteId, mailboxes.length, 'csv')
    const created = await insert(context, id, mailboxes)
    const workflowId = await applied(db, id, 'mailbox.user-create', staff)
    audit.workflow(workflowId)
    audit.after({ domain: mailbox.domain, created: created.map(({ address }) => address) })
    context.status(202)
    return { created, workflowId }
  },
}

function refuse([first, ...more]: readonly CsvProblem[]): void {
  if (!first) return
  const text = `Line ${first.line}: ${first.text}`
  throw refused(`${text}${more.length ? `, and ${more.length} more` : ''}. Nothing was created`, { csv: text })
}

async function insert({ db, app, staff, now }: Context, id: number, mailboxes: readonly CsvMailbox[]) {
  const made = await db
    .insert(mailboxUsers)
    .values(
      mailboxes.map(({ localPart, address, name, quotaMb }) => ({
        ...{ mailboxId: id, localPart, address, name, quotaMb },
        passwordSetAt: now.toISOString(),
        createdBy: staff.id,
      })),
    )
    .returning({ id: mailboxUsers.id, address: mailboxUsers.address })
  const ids = new Map(made.map((one) => [one.address, one.id]))
  const created = await Promise.all(
    mailboxes.map(async ({ address, password, hash }) => {
      const chosen = password || hash ? null : newPassword()
      return { address, password: chosen, hash: hash ?? (await hashOf(password ?? chosen ?? '')) }
    }),
  )
  await setHashes(app, db, id, new Map(created.map(({ address, hash }) => [ids.get(address) ?? 0, hash])))
  return created.map(({ address, password }) => ({ address, password }))
}

/** What a CSV contains, and what is wrong with it by itself and beside what the domain has. */
async function look(
  db: Db,
  { id, domain }: { id: number; domain: string },
  csv: string,
): Promise<{ mailboxes: CsvMailbox[]; errors: CsvProblem[] }> {
  const { mailboxes, errors } = readCsv(csv, domain)
  const taken = await rows<{ address: string; what: string }>(
    db,
    sql`select t.address, case when u.mailbox_user_id is null then 'an alias already'
          when u.deleted_at is null then 'a mailbox already'
          else 'a deleted mailbox: restore it, or create it again by itself' end as what
      from unnest(${sql.param(mailboxes.map(({ address }) => address))}::text[]) t (address)
        left join lateral (select u.mailbox_user_id, u.deleted_at from mailbox_users u where u.address = t.address
          and (u.deleted_at is null or (u.mailbox_id = ${id} and not u.deleted_with_domain and u.purge_after > now()))
          order by u.deleted_at nulls first limit 1) u on true
        left join mail_aliases a on a.mailbox_id = ${id} and a.address = t.address
      where u.mailbox_user_id is not null or a.mail_alias_id is not null`,
  )
  const what = new Map(taken.map((one) => [one.address, one.what]))
  const clashes = mailboxes.flatMap(({ line, address }) =>
    what.has(address) ? [{ line, text: `${address} is ${what.get(address)}` }] : [],
  )
  return { mailboxes, errors: [...errors, ...clashes].toSorted((a, b) => a.line - b.line) }
}
