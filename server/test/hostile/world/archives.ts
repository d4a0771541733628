import { createHash } from 'node:crypto'
import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { secretOf } from '../../../recovery/archiveImports/newPasswords/secret.ts'

const files = { files: 2, bytes: 90, links: 0, refused: {}, fault: null }
/** What an agent answers about an archive with one website and its database. */
export const inventory: Inventory = {
  format: 'hestia',
  account: { name: 'alice', plan: 'default', contact: null, suspended: false },
  ...{ addresses: ['192.0.2.9'], mail: [], cron: [], ftp: [], others: [], refused: {}, members: 9, bytes: 900 },
  websites: [
    {
      ...{ domain: 'imported.example.org', aliases: ['also.imported.example.org'], phpVersion: '8.2', ...files },
      ...{ root: '/home/alice/web/imported.example.org/public_html', rootProblem: null, ssl: false, certificate: null },
      ...{ redirect: null, protectedBy: [], suspended: false, mentions: [], ownSettings: [] },
    },
  ],
  databases: [
    {
      ...{ name: 'alice_imported', engine: 'mysql', charset: 'utf8mb4', dumpBytes: 9, suspended: false },
      users: [{ name: 'alice_imported', hash: 'mysql-native' }],
    },
  ],
  zones: [
    { domain: 'imported.example.org', text: '@ 3600 IN A 192.0.2.9\n', records: 1, dnssec: false, suspended: false },
  ],
}

type Call = (method: 'POST', path: string, body: unknown) => Promise<{ data: { id: number } }>

const named = (name: string): Inventory => ({
  ...{ ...inventory, databases: [], zones: [], account: { ...inventory.account, name } },
  websites: inventory.websites.map((one) => ({ ...one, domain: `${name}-import.example.org`, aliases: [] })),
})

/** Imports of archives: verified, ready, running, paused and unreadable. */
export async function makeArchiveImports(
  db: Db,
  call: Call,
  serverId: number,
  work: () => Promise<void>,
): Promise<void> {
  const look = (path: string) => call('POST', '/archive-imports', { serverId, path })
  const { data } = await look('/backup/verified.tar')
  await work()
  await call('POST', `/archive-imports/${data.id}/start`, { userId: 1, plan: 1 })
  await work()
  await db.execute(sql`update archive_imports set status = 'verified' where archive_import_id = ${data.id}`)
  await look('/backup/ready.tar')
  await work()
  await db.execute(sql`update archive_imports set inventory = replace(inventory::text, 'imported', 'arriving')::jsonb
    where file_name = '/backup/ready.tar'`)
  for (const name of ['running', 'paused']) {
    const other = await look(`/backup/${name}.tar`)
    await work()
    await db.execute(
      sql`update archive_imports set inventory = ${JSON.stringify(named(name))}::jsonb where archive_import_id = ${other.data.id}`,
    )
    await call('POST', `/archive-imports/${other.data.id}/start`, { userId: 1, plan: 1 })
    await call('POST', `/archive-imports/${other.data.id}/pause`, {})
  }
  // runs between two steps, so that nobody here takes its next one
  await db.execute(sql`update workflows set paused = false, status = 'running' where workflow_id =
    (select workflow_id from archive_imports where file_name = '/backup/running.tar')`)
  await look('/backup/bad.tar')
  await work()
  await db.execute(sql`update archive_imports set status = 'unreadable', inventory = null, reason = 'it breaks off'
    where file_name = '/backup/bad.tar'`)
}

/** An accepted import whose mail domain exists. */
export async function makeLateMail(db: Db, call: Call, serverId: number, work: () => Promise<void>): Promise<void> {
  await call('POST', '/archive-imports', { serverId, path: '/backup/late.tar' })
  await work()
  await db.execute(sql`update archive_imports set status = 'done',
    inventory = inventory || ${JSON.stringify({ account: { ...inventory.account, name: 'late' }, mail: [lateDomain] })}::jsonb,
    made = (select ${JSON.stringify(nothing)}::jsonb || jsonb_build_object('mailboxes', jsonb_build_array(jsonb_build_object('id', mailbox_id,
      'domain', domain, 'from', domain, 'users', '[]'::jsonb))) from mailboxes where domain = ${lateDomain.domain})
    where file_name = '/backup/late.tar'`)
}

/** What an import made that made nothing. */
export const nothing = { websites: [], databases: [], certificates: [], ftp: [], zones: [], cron: 0 }
const box = { hash: 'none' as const, quotaMb: null, forwards: [], keepCopy: true, autoReply: null, suspended: false }
export const lateDomain = {
  ...{
    domain: 'post.example.org',
    catchAll: null,
    dkim: false,
    suspended: false,
    aliases: [],
    refused: {},
    fault: null,
  },
  mailboxes: [{ name: 'kari', ...box, messages: 0, bytes: 0 }],
}

/** What a link for kari@post.example.org ends with. */
export const PASSWORD_LINK = 'a-link-for-kari'
/** The accepted import has new passwords of a mailbox: one with a link, and one without. */
export async function makeNewPasswords({ db, secrets }: App): Promise<void> {
  const hash = createHash('sha256').update(PASSWORD_LINK).digest('base64url')
  const made = await rows<{ id: number }>(
    db,
    sql`insert into new_passwords (import_id, kind, account_id, login, set_at, until, link_hash, made_at, made_by)
      select i.archive_import_id, 'mailbox', u.mailbox_user_id, u.address, u.password_set_at, '2999-01-01'::timestamptz,
        case n when 1 then ${hash} end, case n when 1 then now() end, case n when 1 then 'keeper' end
      from archive_imports i, mailbox_users u, generate_series(1, 2) n
      where i.file_name = '/backup/late.tar' and u.address = 'kari@post.example.org' and u.deleted_at is null order by n
      returning new_password_id as id`,
  )
  for (const { id } of made) await secrets.write(db, secretOf(id), 'new password of kari')
}
