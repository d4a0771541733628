import { pbkdf2, randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'

/** Name of the secret with all password hashes of a mail domain. */
export const hashesName = (mailboxId: number) => `mailbox:${mailboxId}`

/** Hashes by mailbox, then by password: 0 is the mailbox's own, other keys are ids of application passwords. */
type Hashes = Record<string, Record<string, string>>
const OWN = 0

const derive = promisify(pbkdf2)
const ROUNDS = 50_000

/** PBKDF2 in Dovecot's notation. Dovecot supports it with SHA-1 only. */
export async function hashOf(password: string): Promise<string> {
  const salt = randomBytes(12).toString('base64')
  const key = await derive(password.normalize('NFC'), salt, ROUNDS, 20, 'sha1')
  return `{PBKDF2}$1$${salt}$${ROUNDS}$${key.toString('hex')}`
}

/** Stores the hash of a password; `key` is the id of an application password. The caller has locked the mail domain. */
export async function setHash(app: App, db: Db, mailboxId: number, userId: number, hash: string | null, key = OWN) {
  const all = JSON.parse((await app.secrets.readKept(db, hashesName(mailboxId))) ?? '{}') as Hashes // only this file writes these hashes
  const mine = { ...all[userId] }
  if (hash === null) delete mine[key]
  else mine[key] = hash
  await app.secrets.write(db, hashesName(mailboxId), JSON.stringify({ ...all, [userId]: mine }))
}

/** Stores the own passwords of mailboxes that have none yet, at once. The caller has locked the mail domain. */
export async function setHashes(app: App, db: Db, mailboxId: number, hashes: ReadonlyMap<number, string>) {
  const all = JSON.parse((await app.secrets.readKept(db, hashesName(mailboxId))) ?? '{}') as Hashes // as above
  for (const [userId, hash] of hashes) all[userId] = { [OWN]: hash, ...all[userId] }
  await app.secrets.write(db, hashesName(mailboxId), JSON.stringify(all))
}

/** The mailboxes of a mail domain that have a password of their own. */
export async function withPassword({ secrets }: App, db: Db, mailboxId: number): Promise<ReadonlySet<number>> {
  const all = JSON.parse((await secrets.readKept(db, hashesName(mailboxId))) ?? '{}') as Hashes // as above
  return new Set(Object.entries(all).flatMap(([userId, mine]) => (mine[OWN] === undefined ? [] : [Number(userId)])))
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
/** 20 letters and digits without similar characters: about 116 bits. */
export const newPassword = (): string => Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
