import { type Scope, startCase } from '@innkeeper/contract/access/scopes'
import { asc } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { scopes } from './tables.ts'

/** All stored permissions, ordered by name. */
export async function readScopes(db: Db): Promise<Scope[]> {
  const found = await db.select().from(scopes).orderBy(asc(scopes.scope))
  return found.map((row) => ({ ...row, name: row.scope.split(':').map(startCase).join(' ') }))
}
