import { eq, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { crypt } from '../../../kit/app/crypt.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { insertMany } from '../../../kit/db/insertMany.ts'
import { hashOf, newPassword, setHashes } from '../../../net/mailboxes/hashes.ts'
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

/**
 * Makes the new passwords of mailboxes and FTP users: the hash goes to the account, the password is sealed until its link is
 * opened. The same ones again when the action is repeated. Answers the hashes of FTP users by id.
 */
export async function makeNew(app: App, importId: number, fence: () => void): Promise<ReadonlyMap<number, string>> {
  const wanted = await rows<{ id: number; kind: 'mailbox' | 'ftp'; accountId: number; mailboxId: number | null }>(
    app.db,
    sql`select p.new_password_id as id, p.kind, p.account_id as "accountId", u.mailbox_id as "mailboxId" from new_passwords p
      left join mailbox_users u on p.kind = 'mailbox' and u.mailbox_user_id = p.account_id
      where p.import_id = ${importId} and p.kind in ('mailbox', 'ftp') order by p.new_password_id`,
  )
  const ftp = new Map<number, string>()
  const mail = new Map<number, Map<number, string>>()
  for (const { id, kind, accountId, mailboxId } of wanted) {
    const password = await app.secrets.readOrMake(app.db, secretOf(id), newPassword)
    if (kind === 'ftp') ftp.set(accountId, crypt(password))
    else if (mailboxId !== null) {
      const of = mail.get(mailboxId) ?? new Map<number, string>()
      mail.set(mailboxId, of.set(accountId, await hashOf(password)))
    }
  }
  fence()
  await app.db.transaction(async (tx) => {
    for (const [mailboxId, hashes] of mail) await setHashes(app, tx, mailboxId, hashes)
  })
  return ftp
}
