import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { secrets as sealed } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { Refusal } from '../../kit/http/errors.ts'
import { backupCodes, secondFactors } from './tables.ts'
import { base32, stepOf } from './totp.ts'

const CODES = 10

/** Names of the stored secrets: the active one and the one being set up. */
export const secretOf = (userId: number) => `second-factor ${userId}`
export const pendingOf = (userId: number) => `second-factor ${userId} pending`

/** An authenticator or a passkey: the password alone no longer signs in. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const found = await rows(
    db,
    sql`select from second_factors where user_id = ${userId} and confirmed_at is not null
      union all select from passkeys where user_id = ${userId} limit 1`,
  )
  return found.length > 0
}

export async function hasAuthenticator(db: Db, userId: number): Promise<boolean> {
  const [found] = await db
    .select({ userId: secondFactors.userId })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)))
  return found !== undefined
}

/** Uses up an authenticator code or a backup code; 401 if the code is wrong or was used before. */
export async function checkSecondFactor({ secrets }: App, db: Db, userId: number, code: string): Promise<void> {
  const plain = code.replace(/[\s-]/g, '').toUpperCase()
  const secret = await secrets.readKept(db, secretOf(userId)) // if it was lost, a backup code still signs in
  const step = secret && /^\d{6}$/.test(plain) ? stepOf(secret, plain, new Date()) : undefined
  const used =
    step === undefined
      ? await db
          .update(backupCodes)
          .set({ usedAt: sql`now()` })
          .where(and(eq(backupCodes.userId, userId), eq(backupCodes.hash, hashOf(plain)), isNull(backupCodes.usedAt)))
          .returning({ id: backupCodes.id })
      : await db
          .update(secondFactors)
          .set({ lastStep: step })
          .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
          .returning({ id: secondFactors.userId })
  if (used.length) return
  throw new Refusal(401, {
    code: 'second-factor',
    message: 'That code is wrong or was already used',
    fields: { code: 'Wrong or already used. Wait for the next code.' },
  })
}

/** Replaces all backup codes. A fast hash is enough for codes of 80 random bits. */
export async function makeBackupCodes(db: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => base32(randomBytes(10)))
  await db.delete(backupCodes).where(eq(backupCodes.userId, userId))
  await db.insert(backupCodes).values(codes.map((code) => ({ userId, hash: hashOf(code) })))
  return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url')

/** Deletes the second factor with its secrets, passkeys and backup codes. */
export async function forgetSecondFactor(db: Db, userId: number): Promise<void> {
  await db.execute(sql`delete from passkeys where user_id = ${userId}`)
  await forgetAuthenticator(db, userId)
}

/** Deletes the authenticator with its secrets, and the backup codes unless passkeys remain. */
export async function forgetAuthenticator(db: Db, userId: number): Promise<void> {
  await db
    .delete(backupCodes)
    .where(sql`${backupCodes.userId} = ${userId} and not exists (select from passkeys where user_id = ${userId})`)
  await db.delete(secondFactors).where(eq(secondFactors.userId, userId))
  await db.delete(sealed).where(sql`${sealed.name} in (${secretOf(userId)}, ${pendingOf(userId)})`)
}
