import { databaseName, databaseUsername } from '@innkeeper/contract/kit/values'
import { and, eq, like, or } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { keptByMoves } from '../websites/parts/keptByMoves.ts'
import { databases, databaseUsers } from './tables.ts'

const ROOM = 4 // for `_999`

/** `1-shop.example` → `db_1_shop_example`, short enough that a suffix such as `_2` fits. */
export function baseName(domain: string, most: number): string {
  const plain = domain.replace(/[^a-z0-9]+/g, '_')
  // names with pg_ belong to PostgreSQL, those with ik_ to Innkeeper
  const begun = /^(?!(?:pg|ik)_)[a-z]/.test(plain) ? plain : `db_${plain}`
  return begun.slice(0, most - ROOM).replace(/(?<!_)_+$/, '')
}

/** Names derived from a domain that no database of the server has, not even one in the trash, which may be restored. */
export async function freeNames(db: Db, serverId: number, domain: string): Promise<{ name: string; username: string }> {
  const [base, user] = [baseName(domain, 64), baseName(domain, 32)]
  const taken = await db
    .select({ name: databases.name })
    .from(databases)
    .where(
      and(eq(databases.serverId, serverId), or(eq(databases.name, base), like(databases.name, `${escaped(base)}\\_%`))),
    )
  const users = await db
    .select({ name: databaseUsers.username })
    .from(databaseUsers)
    .where(
      and(
        eq(databaseUsers.serverId, serverId),
        or(eq(databaseUsers.username, user), like(databaseUsers.username, `${escaped(user)}\\_%`)),
      ),
    )
  taken.push(...(await keptByMoves(db, serverId, 'databases')))
  users.push(...(await keptByMoves(db, serverId, 'database_users')))
  return {
    name: databaseName.parse(firstFree(base, new Set(taken.map((one) => one.name)))),
    username: databaseUsername.parse(firstFree(user, new Set(users.map((one) => one.name)))),
  }
}

const escaped = (text: string) => text.replaceAll('_', '\\_')

export function firstFree(base: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}_${n}`
    if (!taken.has(name)) return name
  }
}
