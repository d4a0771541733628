import type { Access } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/db.ts'
import type { Staff } from './staff.ts'

const HOUR = 3_600_000
/** A batch is written when it is this old or has this many rows. */
const OLD_MS = 60_000
const MANY = 500

/**
 * Records when people last used a permission, to the hour: a batch a minute instead of a write for each call. What a
 * killed process had not written yet is lost; a review looks at days.
 */
export interface Uses {
  /** Notes a call that was allowed. */
  note(staff: Staff, access: Access): void
  /** Writes what is noted. */
  flush(): Promise<void>
}

interface Use {
  userId: number
  scope: string
  at: number
}

export function openPermissionUses(db: Db, { now = Date.now, most = 50_000 } = {}): Uses {
  /** By person and permission: the hour that is noted or written. */
  const known = new Map<string, number>()
  let batch: Use[] = []
  let since = now()

  async function flush(): Promise<void> {
    const rows = batch
    batch = []
    since = now()
    if (!rows.length) return
    try {
      await write(rows)
    } catch (error) {
      for (const { userId, scope } of rows) known.delete(`${userId} ${scope}`) // the next call notes it again
      throw error
    }
  }

  /** A batch over the turn of an hour has some permissions twice. */
  async function write(rows: readonly Use[]): Promise<void> {
    const column = (values: readonly (string | number)[]) => sql.param([...values])
    await db.execute(sql`insert into permission_uses as p (user_id, scope, first_at, last_at)
      select n.user_id, n.scope, min(n.at), max(n.at) from unnest(${column(rows.map(({ userId }) => userId))}::int[],
        ${column(rows.map(({ scope }) => scope))}::text[],
        ${column(rows.map(({ at }) => new Date(at).toISOString()))}::timestamptz[]) as n(user_id, scope, at)
      join users u on u.user_id = n.user_id group by n.user_id, n.scope order by n.user_id, n.scope
      on conflict (user_id, scope) do update set last_at = greatest(p.last_at, excluded.last_at)`)
  }

  return {
    note({ id }, access) {
      if (!id || access === 'public' || access === 'signedIn') return
      const hour = Math.floor(now() / HOUR) * HOUR
      for (const scope of typeof access === 'string' ? [access] : access) {
        const key = `${id} ${scope}`
        if (known.get(key) === hour) continue
        if (known.size >= most) known.clear()
        known.set(key, hour)
        batch.push({ userId: id, scope, at: hour })
      }
      if (batch.length && (batch.length >= MANY || now() - since >= OLD_MS))
        flush().catch((error: unknown) => console.error(error)) // the call that brings the batch does not fail
    },
    flush,
  }
}
