import { randomBytes, randomInt } from 'node:crypto'
import { weakness } from '@innkeeper/contract/kit/passwords'
import { ftpUsername } from '@innkeeper/contract/kit/values'
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { crypt } from '../../kit/app/crypt.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { keptByMoves } from '../websites/parts/keptByMoves.ts'
import type { Site } from '../websites/siteSteps.ts'
import { ftpUsers } from './tables.ts'

/** `shop` and `kari` → `shop_kari`. */
export function loginName({ systemUser }: Site, name: string): string {
  const read = ftpUsername.safeParse(`${systemUser.username}_${name}`)
  if (!read.success) throw refused(`${systemUser.username}_${name} is no login name`, { name: 'Is no login name' })
  return read.data
}

export function checkExpiry(expiresAt: string | null | undefined): void {
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) throw refused('The end is past', { expiresAt: 'Is past' })
}

/**
 * 409 if an FTP user has the name on the server, or a running workflow renames one to it. Locks the names of the server
 * until the transaction ends.
 */
export async function checkName(db: Db, serverId: number, username: string, except = 0): Promise<void> {
  await lockNames(db, serverId)
  const taken = await takenName(db, serverId, username, except)
  if (taken) throw conflict(taken.text, { fields: { name: taken.hint } })
}

/** Why an FTP user of a server cannot get this name; undefined if the name is free. */
export async function takenName(
  db: Db,
  serverId: number,
  username: string,
  except = 0,
): Promise<{ text: string; hint: string } | undefined> {
  const [taken] = await db
    .select({ websiteId: ftpUsers.websiteId })
    .from(ftpUsers)
    .where(
      and(
        eq(ftpUsers.serverId, serverId),
        ne(ftpUsers.id, except),
        or(eq(ftpUsers.username, username), sql`${ftpUsers.next}->>'username' = ${username}`),
        isNull(ftpUsers.deletedAt),
      ),
    )
  if (taken) return { text: `${username} is an FTP user of website ${taken.websiteId}`, hint: 'Is taken' }
  const kept = (await keptByMoves(db, serverId, 'ftp_users')).find((one) => one.name === username)
  return (
    kept && {
      text: `The move of ${kept.domain} keeps ${username} on this server until it ends: end the move first, or choose another name`,
      hint: 'Is taken until the end of a move',
    }
  )
}
/** Locks the login names of a server until the transaction ends. */
export const lockNames = (db: Db, serverId: number) =>
  db.execute(sql`select pg_advisory_xact_lock(${NAMES}, ${serverId})`)
const NAMES = 1_847_204 // key space of the advisory locks on login names of servers

/**
 * Stores the hash of a password as a secret. `shown` is the password itself if Innkeeper chose it; the password is not
 * stored.
 */
export async function keepPassword(
  app: App,
  db: Db,
  { id, username }: { id: number; username: string },
  wanted: string | undefined,
): Promise<{ secret: string; shown: string | null }> {
  const why = wanted === undefined ? undefined : weakness(wanted, [username])
  if (why) throw refused(why, { password: why })
  const password = wanted ?? newPassword()
  const secret = newSecretName(id)
  await app.secrets.write(db, secret, crypt(password))
  return { secret, shown: wanted === undefined ? password : null }
}

/** A new name for the secret with the hash of a password. */
export const newSecretName = (id: number) => `ftp-user:${id}:${randomBytes(6).toString('hex')}`

/** 24 letters and digits without similar characters: about 139 bits. */
const newPassword = () => Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('')
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
