import { eq, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { crypt } from '../../../kit/app/crypt.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { insertMany } from '../../../kit/db/insertMany.ts'
import { hashOf, newPassword, setHashes, withPassword } from '../../../net/mailboxes/hashes.ts'
import { newPasswords } from '../tables.ts'
import { secretOf } from './secret.ts'

/** An account whose password the target refuses, or which has none in the archive. */
export type Lacking = Pick<typeof newPasswords.$inferInsert, 'kind' | 'accountId' | 'login' | 'setAt'>

/** Notes the accounts of an import that get new passwords, in place of those of an earlier run that was rolled back. */
export async function noteLacking(db: Db, importId: number, found: readonly Lacking[]): Promise<void> {
  await dropPasswords(db, importId)
  await insertMany(
    db,
    newPasswords,
    found.map((one) => ({ ...one, importId })),
  )
}

/** Forgets the new passwords of an import, and ends their links. */
export async function dropPasswords(db: Db, importId: number): Promise<void> {
  await db.execute(sql`delete from secrets where name in
    (select 'new-password:' || new_password_id from new_passwords where import_id = ${importId})`)
  await db.delete(newPasswords).where(eq(newPasswords.importId, importId))
}

interface Wanted {
  id: number
  accountId: number
  mailboxId: number | null
  /** Name of the secret with the hash of an FTP user. */
  secret: string | null
}

/**
 * Makes the new passwords of mailboxes and FTP users: the hash goes to the account, the password is sealed until its link is
 * opened. An account that has a password already keeps it when the action is repeated: somebody may have seen it, or have
 * set another one since. Answers the hashes of FTP users by id.
 */
export async function makeNew(app: App, importId: number, fence: () => void): Promise<ReadonlyMap<number, string>> {
  const wanted = await rows<Wanted>(
    app.db,
    sql`select p.new_password_id as id, p.account_id as "accountId", u.mailbox_id as "mailboxId", f.secret
      from new_passwords p
      left join mailbox_users u on p.kind = 'mailbox' and u.mailbox_user_id = p.account_id
      left join ftp_users f on p.kind = 'ftp' and f.ftp_user_id = p.account_id
      where p.import_id = ${importId} and p.kind in ('mailbox', 'ftp') order by p.new_password_id`,
  )
  const make = (id: number) => app.secrets.readOrMake(app.db, secretOf(id), newPassword)
  const ftp = new Map<number, string>()
  const mail = new Map<number, Map<number, string>>()
  const settled = new Map<number, ReadonlySet<number>>()
  for (const { id, accountId, mailboxId, secret } of wanted) {
    if (secret !== null) ftp.set(accountId, (await app.secrets.readKept(app.db, secret)) ?? crypt(await make(id)))
    if (mailboxId === null) continue
    const has = settled.get(mailboxId) ?? (await withPassword(app, app.db, mailboxId))
    settled.set(mailboxId, has)
    if (has.has(accountId)) continue
    const of = mail.get(mailboxId) ?? new Map<number, string>()
    mail.set(mailboxId, of.set(accountId, await hashOf(await make(id))))
  }
  fence()
  await app.db.transaction(async (tx) => {
    for (const [mailboxId, hashes] of mail) await setHashes(app, tx, mailboxId, hashes)
  })
  return ftp
}
