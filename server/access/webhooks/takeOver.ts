import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { withInstants } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { mayReadRow } from '../../kit/live/live.ts'
import { maySend, readOwned } from './owner.ts'

const BATCH = 1000

interface Change {
  domain: string
  objectId: number | null
  at: string
}

/**
 * Makes messages of the announced changes and forgets these changes, in one transaction: none is lost, none is taken
 * twice. Rows of transactions that commit later are seen later, whatever their number.
 */
export async function takeOver(app: App): Promise<void> {
  for (;;) {
    const taken = await app.db.transaction(async (tx) => {
      const changes = await rows<Change>(
        tx,
        sql`with taken as (select announced_change_id from announced_changes order by announced_change_id
            limit ${BATCH} for update skip locked)
          delete from announced_changes c using taken where c.announced_change_id = taken.announced_change_id
          returning c.domain, c.object_id as "objectId", c.at`,
      )
      if (changes.length)
        await addDeliveries(
          app,
          tx,
          changes.map((one) => withInstants(one, ['at'])),
        )
      return changes.length
    })
    if (taken < BATCH) return
  }
}

async function addDeliveries({ readScopes, rowScopes }: App, tx: Db, changes: readonly Change[]): Promise<void> {
  const latest = latestOf(changes)
  for (const hook of await readOwned(tx, sql`true`)) {
    const wanted = latest.filter(
      ({ domain }) => (!hook.domains.length || hook.domains.includes(domain)) && maySend(hook, readScopes, domain),
    )
    const shown = wanted.map((one) => (mayReadRow(hook, rowScopes, one) ? one : { ...one, objectId: null }))
    if (wanted.length) await wait(tx, hook.id, latestOf(shown))
  }
}

/** The latest change of each object. */
const latestOf = (changes: readonly Change[]): Change[] => [
  ...new Map(
    changes.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map((one) => [`${one.domain} ${one.objectId}`, one]),
  ).values(),
]

/** Lets messages wait. A message of the same object that waits already says the same. */
export async function wait(tx: Db, webhookId: number, changes: readonly Change[]): Promise<number[]> {
  const made = await rows<{ id: number }>(
    tx,
    sql`insert into webhook_deliveries (webhook_id, domain, object_id, changed_at, next_at)
      select ${webhookId}, c.domain, c.object_id, c.at, now()
        from json_to_recordset(${JSON.stringify(changes.map(({ domain, objectId, at }) => ({ domain, object_id: objectId, at })))})
          as c(domain text, object_id int, at timestamptz)
      on conflict (webhook_id, domain, coalesce(object_id, 0)) where state = 'waiting'
        do update set changed_at = excluded.changed_at
      returning webhook_delivery_id as id`,
  )
  return made.map(({ id }) => Number(id))
}
