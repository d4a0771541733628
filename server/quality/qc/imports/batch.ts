import { createHash } from 'node:crypto'
import type { ImportItem } from '@innkeeper/contract/quality/qc/sourceShapes'
import { sql } from 'drizzle-orm'
import { departmentOn } from '../../../access/users/departmentOn.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { markDue } from '../checks/run.ts'
import { indexWords } from '../conversations/words.ts'
import { isAgent, type Known, writeIdentities } from './identities.ts'
import { writeMessages } from './writeMessages.ts'

export interface Counts {
  added: number
  changed: number
  unchanged: number
}

/**
 * Writes conversations of one source in the caller's transaction: one statement per table, whatever the number of
 * items. An item that was imported before with the same content changes nothing.
 */
export async function writeBatch(db: Db, sourceId: number, items: readonly ImportItem[]): Promise<Counts> {
  const named = [...new Map(items.map((item) => [`${item.kind} ${item.id}`, item])).values()] // the last of repeated items
  const erased = await erasedOf(db, sourceId, named)
  const last = named.filter((item) => !erased.has(`${item.kind} ${item.id}`))
  const known = await writeIdentities(db, sourceId, last)
  const conversations = last.map((item) => conversationOf(item, known))
  const written = await rows<{ id: number; kind: string; externalId: string; isNew: boolean }>(
    db,
    sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email, agent_id,
        agent_ids, department_id, started_at, last_at, messages, csat, status, gone_at)
      select i.kind, ${sourceId}::int, i."externalId", i.digest, i.subject, i."customerName", i."customerEmail", i."agentId", i."agentIds",
        ${departmentOn(sql`i."agentId"`, sql`i."lastAt"`)}, i."startedAt", i."lastAt", i.messages, i.csat, 'imported',
        case when i.gone then now() end
      from jsonb_to_recordset(${JSON.stringify(conversations)}::jsonb) as i(kind text, "externalId" text, digest text, subject text,
        "customerName" text, "customerEmail" text, "agentId" int, "agentIds" int[], "startedAt" timestamptz, "lastAt" timestamptz,
        messages int, csat smallint, gone boolean)
      on conflict (source_id, kind, external_id) do update set digest = excluded.digest, subject = excluded.subject,
        customer_name = excluded.customer_name, customer_email = excluded.customer_email, started_at = excluded.started_at,
        ${sql.join(
          // a merged item may be sent without its messages: keep the stored ones
          ['agent_id', 'agent_ids', 'department_id', 'last_at', 'messages'].map((name) =>
            sql.raw(
              `${name} = case when excluded.messages = 0 then qc_conversations.${name} else excluded.${name} end`,
            ),
          ),
          sql`, `,
        )}, csat = excluded.csat,
        reopened_since = case when qc_conversations.status = 'reviewed' and excluded.messages > 0 and excluded.last_at > qc_conversations.last_at
          then coalesce(qc_conversations.reopened_since, qc_conversations.last_at) else qc_conversations.reopened_since end,
        gone_at = case when excluded.gone_at is null then null else coalesce(qc_conversations.gone_at, excluded.gone_at) end,
        version = qc_conversations.version + 1, updated_at = now()
      where qc_conversations.digest <> excluded.digest and qc_conversations.redacted_at is null
      returning qc_conversation_id as id, kind, external_id as "externalId", version = 1 as "isNew"`,
  )
  const ids = new Map(written.map(({ id, kind, externalId }) => [`${kind} ${externalId}`, id]))
  const touched = last.filter((item) => ids.has(`${item.kind} ${item.id}`))
  await writeMessages(db, touched, ids, known)
  await indexWords(db, [...ids.values()])
  await markDue(db, [...ids.values()])
  await followMerges(db, sourceId, touched)
  const added = written.filter(({ isNew }) => isNew).length
  return { added, changed: written.length - added, unchanged: named.length - written.length }
}

/**
 * Conversations whose words were erased: nothing of them comes back, nor the names of those who wrote in them. Locks
 * all, so that an erasure comes before the batch or finds what the batch has written.
 */
async function erasedOf(db: Db, sourceId: number, items: readonly ImportItem[]): Promise<Set<string>> {
  const found = await rows<{ kind: string; externalId: string; isErased: boolean }>(
    db,
    sql`select kind, external_id as "externalId", redacted_at is not null as "isErased" from qc_conversations
      where source_id = ${sourceId} and (kind, external_id) in (select i.kind, i.id from jsonb_to_recordset(
        ${JSON.stringify(items.map(({ kind, id }) => ({ kind, id })))}::jsonb) as i(kind text, id text))
      order by qc_conversation_id for update`,
  )
  return new Set(found.flatMap(({ kind, externalId, isErased }) => (isErased ? [`${kind} ${externalId}`] : [])))
}

function conversationOf(item: ImportItem, known: ReadonlyMap<string, Known>) {
  const spoke = new Map<number, number>()
  for (const message of item.messages) {
    const userId = isAgent(message) ? known.get(message.author.id)?.userId : undefined
    if (userId) spoke.set(userId, (spoke.get(userId) ?? 0) + 1)
  }
  const agentIds = [...spoke].sort(([a, n], [b, m]) => m - n || a - b).map(([id]) => id)
  const times = item.messages.map(({ at }) => Date.parse(at))
  const first = times.reduce((least, at) => Math.min(least, at), item.startedAt ? Date.parse(item.startedAt) : Infinity)
  const lastAt = times.reduce((most, at) => Math.max(most, at), Number.isFinite(first) ? first : 0)
  return {
    ...{ kind: item.kind, externalId: item.id, subject: item.subject, csat: item.csat, gone: item.deleted },
    ...{ customerName: item.customer.name, customerEmail: item.customer.email, agentId: agentIds[0] ?? null, agentIds },
    startedAt: new Date(Number.isFinite(first) ? first : 0).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    messages: item.messages.filter(({ kind }) => kind === 'message').length,
    digest: createHash('sha256').update(JSON.stringify(item)).digest('base64url'),
  }
}

/**
 * Removes merged and deleted items from the queue; reviewed items stay reviewed. If the item that absorbed another is
 * not imported yet, the merge is stored by its external id and linked later. A merge that the source has undone is
 * removed.
 */
async function followMerges(db: Db, sourceId: number, items: readonly ImportItem[]) {
  if (!items.length) return
  const named = items.map(({ kind, id, mergedInto: into }) => ({ kind, id, into: into && into !== id ? into : null }))
  await db.execute(sql`update qc_conversations c set merged_into = m."into", merged_into_id = null
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as m(kind text, id text, "into" text)
    where c.source_id = ${sourceId} and c.kind = m.kind and c.external_id = m.id and c.merged_into is distinct from m."into"`)
  const ids = sql.param(items.map(({ id }) => id))
  await db.execute(sql`update qc_conversations c set merged_into_id = s.qc_conversation_id from qc_conversations s
    where c.source_id = ${sourceId} and c.merged_into is not null and c.merged_into_id is null
      and s.source_id = c.source_id and s.kind = c.kind and s.external_id = c.merged_into
      and (c.external_id = any(${ids}::text[]) or c.merged_into = any(${ids}::text[]))`)
  await db.execute(sql`update qc_conversations set status = 'cleared' where source_id = ${sourceId} and status = 'queued'
    and external_id = any(${ids}::text[]) and (merged_into is not null or gone_at is not null)`)
}
