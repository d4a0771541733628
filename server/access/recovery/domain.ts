import { recovery as contract } from '@innkeeper/contract/access/recovery'
import { eq } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { recoveryHandlers } from './handlers.ts'
import * as tables from './tables.ts'

export const recovery: Domain = {
  calls: [calls('recovery', contract, recoveryHandlers)],
  tables,
  readScopes: { recovery: ['users:user:update'] },
  async endSignIn(db, userId) {
    await db
      .update(tables.recoveries)
      .set({ endedAt: tables.recoveries.expiresAt })
      .where(eq(tables.recoveries.userId, userId))
  },
}
