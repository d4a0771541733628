import type { ImportItem } from '@innkeeper/contract/quality/qc/sourceShapes'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'

/** A stored agent of a source, with the staff member if the agent is one. */
export interface Known {
  id: number
  identity: string
  userId: number | null
}

export const isAgent = ({ author }: ImportItem['messages'][number]) => author.role === 'agent' && author.id !== ''

/** Stores the agents of the items. An agent whose address is that of a staff member is mapped to that person. */
export async function writeIdentities(
  db: Db,
  sourceId: number,
  items: readonly ImportItem[],
): Promise<Map<string, Known>> {
  const names = new Map<string, string>()
  for (const { messages } of items)
    for (const message of messages)
      if (isAgent(message)) names.set(message.author.id, message.author.name || message.author.id)
  if (!names.size) return new Map()
  const wanted = JSON.stringify(
    [...names].map(([identity, name]) => ({ identity, name })).sort((a, b) => (a.identity < b.identity ? -1 : 1)),
  )
  await db.execute(sql`insert into qc_identities (source_id, identity, name, user_id)
    select ${sourceId}::int, i.identity, i.name, (select min(user_id) from users u where lower(u.email) = lower(i.identity) and u.deleted_at is null)
    from jsonb_to_recordset(${wanted}::jsonb) as i(identity text, name text)
    on conflict (source_id, identity) do update set name = excluded.name, seen_at = now()
    where qc_identities.seen_at < now() - interval '1 hour' or qc_identities.name <> excluded.name`)
  const found = await rows<Known>(
    db,
    sql`select qc_identity_id as id, identity, user_id as "userId" from qc_identities
      where source_id = ${sourceId} and identity = any(${sql.param([...names.keys()])}::text[])`,
  )
  return new Map(found.map((one) => [one.identity, one]))
}
