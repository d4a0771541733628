import { eq } from 'drizzle-orm'
import { readKey } from '../hosting/sftp/key.ts'
import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import type { Dice } from './dice.ts'

const DAY = 86_400_000
const devices = ['laptop', 'imac', 'office', 'macbook', 'thinkpad', 'deploy'] as const

/**
 * Adds SFTP access to one account in three, mostly with keys. The private keys do not exist. Returns the number of
 * keys.
 */
export async function seedAccess(
  db: Db,
  d: Dice,
  now: number,
  staff: { id: number; firstName: string; lastName: string }[],
): Promise<number> {
  const accounts = await db
    .select({ id: tables.systemUsers.id, serverName: tables.servers.name })
    .from(tables.systemUsers)
    .innerJoin(tables.servers, eq(tables.servers.id, tables.systemUsers.serverId))
    .where(eq(tables.systemUsers.status, 'active'))
    .orderBy(tables.systemUsers.id)
  const doors = new Map<string, string[]>()
  const access: (typeof tables.sftpAccess.$inferInsert)[] = []
  const keys: (typeof tables.sftpKeys.$inferInsert)[] = []
  for (const { id: systemUserId, serverName } of accounts.filter(() => d.chance(0.33))) {
    const hostKeys = doors.get(serverName) ?? [`${publicKey(d, serverName).fingerprint} (ED25519)`]
    doors.set(serverName, hostKeys)
    const since = now - d.below(400 * DAY)
    const stamps = { createdAt: at(since), updatedAt: at(since) }
    const count = d.chance(0.8) ? 1 + d.below(3) : 0
    access.push({
      ...{ systemUserId, hostKeys, ...stamps },
      state: d.chance(0.95) ? 'on' : 'off',
      passwordSetAt: count === 0 || d.chance(0.2) ? at(since) : null,
    })
    for (let n = 0; n < count; n++) {
      const { id, firstName, lastName } = d.pick(staff)
      keys.push({
        ...{ systemUserId, ...publicKey(d, `${firstName.toLowerCase()}@${d.pick(devices)}`), ...stamps },
        addedBy: `${firstName} ${lastName}`,
        createdBy: id,
        state: 'active',
        ...(d.chance(0.1) && { expiresAt: at(now + (1 + d.below(90)) * DAY) }),
      })
    }
  }
  for (const some of chunks(access, 500)) await db.insert(tables.sftpAccess).values(some)
  for (const some of chunks(keys, 500)) await db.insert(tables.sftpKeys).values(some)
  return keys.length
}

const at = (time: number) => new Date(time).toISOString()

/** A valid public key without a private key. */
function publicKey(d: Dice, comment: string) {
  const field = (bytes: Uint8Array) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const raw = Buffer.from(Array.from({ length: 32 }, () => d.below(256)))
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)])
  return readKey(`ssh-ed25519 ${blob.toString('base64')} ${comment}`)
}
