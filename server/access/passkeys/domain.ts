import { passkeys as contract } from '@innkeeper/contract/access/passkeys'
import { eq } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { passkeysHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const passkeys: Domain = {
  calls: [calls('passkeys', contract, passkeysHandlers)],
  tables,
  async endSignIn(db, userId) {
    await db.delete(tables.passkeyChallenges).where(eq(tables.passkeyChallenges.userId, userId))
    await db.delete(tables.passkeys).where(eq(tables.passkeys.userId, userId))
  },
}
