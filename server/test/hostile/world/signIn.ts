import { passkeys } from '../../../access/passkeys/tables.ts'
import {
  identities,
  identityProviders,
  providerGroupMembers,
  providerGroups,
} from '../../../access/providers/tables.ts'
import { recoveries } from '../../../access/recovery/tables.ts'
import type { TestApp } from '../../app.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<unknown>

/** A provider with a group and a person, a passkey, a suspended account, and a recovery that waits. */
export async function makeSignIn({ app: { db }, somebody }: TestApp, call: Call): Promise<void> {
  const { id: known } = await somebody(['users:user:update'], 'known')
  const { id: away } = await somebody([], 'away')
  const { id: lost } = await somebody([], 'lost')
  await call('POST', `/auth/users/${away}/suspension`, {})
  await call('POST', '/auth/providers', {
    ...{ name: 'Company', issuer: 'https://id.example.org', clientId: 'innkeeper', secret: 'a secret' },
    mappings: [{ group: 'support', roleId: 1, departmentId: 1 }],
  })
  const [provider] = await db.select({ id: identityProviders.id }).from(identityProviders)
  const providerId = provider!.id
  const [identity] = await db
    .insert(identities)
    .values({ providerId, userId: known, subject: 'subject', externalId: 'external' })
    .returning({ id: identities.id })
  const [group] = await db
    .insert(providerGroups)
    .values({ providerId, name: 'support' })
    .returning({ id: providerGroups.id })
  await db.insert(providerGroupMembers).values({ groupId: group!.id, identityId: identity!.id })
  await db.insert(passkeys).values({
    ...{ userId: 1, name: 'Key', credentialId: 'credential', publicKey: 'key', counter: 0, transports: [] },
    isSynced: false,
  })
  await db
    .insert(recoveries)
    .values({ userId: lost, askedById: known, reason: 'Lost the phone', expiresAt: '2999-01-01T00:00:00Z' })
}
