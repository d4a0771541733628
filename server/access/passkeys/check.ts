import { createHash } from 'node:crypto'
import type { PasskeyAnswer } from '@innkeeper/contract/access/passkeyAnswer'
import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { Refusal } from '../../kit/http/errors.ts'
import { passkeyChallenges, passkeys } from './tables.ts'

const MINUTES = 5

const hashOf = (challenge: string) => createHash('sha256').update(challenge).digest('base64url')

/** The name that passkeys are bound to, and the pages that may use them: those of the host that was asked. */
export const placeOf = ({ host, authority }: Pick<Context['request'], 'host' | 'authority'>) => ({
  rpID: host.replace(/^\[|\]$/g, ''),
  origins: ['https', 'http'].map((scheme) => new URL(`${scheme}://${authority}`).origin),
})

/** Keeps a challenge until it is answered. `userId`: who adds a passkey. */
export async function keepChallenge(db: Db, challenge: string, userId: number | null): Promise<void> {
  await db.delete(passkeyChallenges).where(sql`expires_at < now()`)
  const expiresAt = new Date(Date.now() + MINUTES * 60_000).toISOString()
  await db.insert(passkeyChallenges).values({ hash: hashOf(challenge), userId, expiresAt })
}

/** Uses a challenge up. False if it is unknown, was used, or has expired. */
export async function useChallenge(db: Db, challenge: string, userId: number | null): Promise<boolean> {
  const used = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.hash, hashOf(challenge)),
        userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId),
        gt(passkeyChallenges.expiresAt, sql`now()`),
      ),
    )
    .returning({ hash: passkeyChallenges.hash })
  return used.length > 0
}

const refusal = (message: string) => new Refusal(401, { code: 'passkey', message })
const unknown = () => refusal('This passkey is unknown here. It may have been removed.')

/** Verifies a passkey's answer and returns its owner. `userId`: the only owner that is accepted. */
export async function checkPasskey(
  db: Db,
  request: Pick<Context['request'], 'host' | 'authority'>,
  answer: PasskeyAnswer,
  userId?: number,
): Promise<number> {
  const [passkey] = await db.select().from(passkeys).where(eq(passkeys.credentialId, answer.id)).for('update')
  if (!passkey || (userId !== undefined && passkey.userId !== userId)) throw unknown()
  const { rpID, origins } = placeOf(request)
  const verified = await verifyAuthenticationResponse({
    // the contract has validated the fields that the library reads
    response: answer as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => useChallenge(db, challenge, null),
    expectedOrigin: origins,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch((error: Error) => {
    throw refusal(`The passkey was not accepted: ${reasonOf(error)}`)
  })
  if (!verified.verified) throw refusal('The passkey was not accepted: its signature is wrong.')
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  await db
    .update(passkeys)
    .set({ counter: newCounter, isSynced: credentialBackedUp, lastUsedAt: sql`now()` })
    .where(eq(passkeys.id, passkey.id))
  return passkey.userId
}

/** Words for the errors of the library that people can cause. */
export function reasonOf({ message }: Error): string {
  if (/challenge/i.test(message)) return 'it took too long, or was answered before. Try again.'
  if (/origin/i.test(message)) return 'it was used on another page than Innkeeper’s.'
  if (/RP ID/i.test(message)) return 'it belongs to another address.'
  if (/counter/i.test(message)) return 'it was used elsewhere meanwhile, and may have been copied. Remove it.'
  if (/user (could not be )?verif/i.test(message)) return 'it did not ask for your fingerprint, face or PIN.'
  return 'its answer cannot be read.'
}
