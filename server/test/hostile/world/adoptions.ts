import type { FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
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

type Call = (method: 'POST', path: string, body: unknown) => Promise<{ data: { id: number } }>

const lying = { lee: 'lying.example.org', lea: 'placed.example.org', leo: 'half-placed.example.org' } as const

/** A web server that serves websites of somebody else besides: one lies there, one was taken over, one failed. */
export async function makePlaces(db: Db, call: Call, server: number, work: () => Promise<void>): Promise<void> {
  const [first] = inventory.websites
  // an account of a small plan has one website
  const accounts = Object.entries(lying).map(([name, domain]) => ({
    ...{ ...inventory, format: 'machine', databases: [], zones: [] },
    account: { ...inventory.account, name },
    websites: [{ ...first, domain, aliases: [] }],
  }))
  const [row] = await rows<{ id: number }>(
    db,
    sql`insert into adoptions (server_id, status, found, elsewhere, checked_at, staff_name, created_by)
      values (${server}, 'ready', ${JSON.stringify({ ...found, accounts })}::jsonb, '[]'::jsonb, now(), 'Place machine', 1) returning adoption_id as id`,
  )
  for (const [account, status] of [
    ['lea', 'taken'],
    ['leo', 'failed'],
  ] as const) {
    const website = lying[account]
    await call('POST', `/adoptions/${row?.id}/places`, {
      ...{
        account,
        website,
        userId: 1,
        plan: 1,
        seen: 'a'.repeat(64),
        root: `/home/${account}/${website}`,
        phpVersion: '8.2',
      },
      ...{ serves: [], redirects: [], application: 'files' },
    })
    await work()
    await db.execute(sql`update adoption_places set status = ${status} where domain = ${website}`)
  }
}
