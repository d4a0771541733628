import { apiTokens } from '../../../access/apiTokens/tables.ts'
import { serviceAccounts } from '../../../access/serviceAccounts/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { webhookDeliveries, webhooks } from '../../../access/webhooks/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import { nodes } from '../../../kit/watch/tables.ts'

/** Service accounts, tokens and webhooks of the administrator, and a process of Innkeeper that was killed. */
export async function makePrograms(db: Db, ownerId: number): Promise<void> {
  for (const description of ['reads zones', 'goes']) {
    const [made] = await db
      .insert(users)
      .values({
        ...{ username: `service-${description}`, email: `${description}@service.invalid`, passwordHash: '' },
        ...{ firstName: description, lastName: '(service)', isService: true },
      })
      .returning({ id: users.id })
    await db.insert(serviceAccounts).values({ id: made!.id, description, ownerId })
  }
  const soon = '2999-01-01T00:00:00Z'
  for (const name of ['turns', 'ends'])
    await db.insert(apiTokens).values({
      ...{ name, userId: ownerId, begins: 'ink_abcd', hash: `hash of ${name}`, scopes: ['dns:zone:read'] },
      ...{ perMinute: 600, expiresAt: soon },
    })
  await db.insert(nodes).values({
    ...{ name: 'old-host:4400', instance: 'killed', roles: ['api'], version: '0.1.0', late: [], clockMs: 0 },
    ...{ startedAt: '2026-01-10T10:00:00Z', at: '2026-01-10T11:00:00Z', diskFree: 1, diskTotal: 2 },
  })
  const url = 'https://93.184.215.14/hook'
  const [hook] = await db.insert(webhooks).values({ name: 'builds', url, ownerId }).returning({ id: webhooks.id })
  await db.insert(webhooks).values({ name: 'goes', url, ownerId })
  const changedAt = '2026-01-10T10:00:00Z'
  await db
    .insert(webhookDeliveries)
    .values({ webhookId: hook!.id, domain: 'dns', objectId: 1, state: 'failed', changedAt, nextAt: changedAt })
}
