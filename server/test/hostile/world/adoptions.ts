import type { FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { enrolled } from '../../work.ts'
import { inventory } from './archives.ts'

const found: FoundMachine = {
  ...{ panel: 'none', addresses: ['192.0.2.9'] },
  accounts: [{ ...inventory, format: 'machine' }],
  others: [{ kind: 'program', name: 'redis-server', why: 'listens on 6379' }],
}

/** Adopted servers: one to look at, one that was looked at, and one to which no name leads any more. */
export async function makeAdoptions(db: Db): Promise<void> {
  await enrolled(db, 'adopt-new', { type: 'adopted' })
  for (const [name, by] of [
    ['adopt-1', 'Ready machine'],
    ['adopt-2', 'Empty machine'],
  ] as const) {
    const server = await enrolled(db, name, { type: 'adopted', address: '192.0.2.9' })
    await db.execute(sql`insert into adoptions (server_id, status, found, elsewhere, checked_at, staff_name, created_by)
      values (${server}, 'ready', ${JSON.stringify(found)}::jsonb, ${by === 'Empty machine' ? '[]' : null}::jsonb, now(), ${by}, 1)`)
  }
}
