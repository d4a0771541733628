import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import type { DepartmentsOf } from '../../kit/app/departmentsOf.ts'
import { withInstants } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { mayReadRow } from '../../kit/live/live.ts'
import { maySend, type Owned, readOwned } from './owner.ts'

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

async function addDeliveries(
  { readScopes, rowScopes, departmentsOf }: App,
  tx: Db,
  changes: readonly Change[],
): Promise<void> {
  const latest = latestOf(changes)
  const hooks = await readOwned(tx, sql`true`)
  const isLimited = hooks.some(({ departments }) => departments.length > 0)
  const belongings = isLimited ? await readBelongings(tx, departmentsOf, latest) : new Map()
  for (const hook of hooks) {
    // without the name first: the choice of an object must not tell that a row changed which the owner may not see
    const shown = latest.map((one) => (mayReadRow(hook, rowScopes, one) ? one : { ...one, objectId: null }))
    const wanted = shown.filter((one) => isChosen(hook, one, belongings) && maySend(hook, readScopes, one.domain))
    if (wanted.length) await wait(tx, hook.id, latestOf(wanted))
  }
}

/** The latest change of each object. */
const latestOf = (changes: readonly Change[]): Change[] => [
  ...new Map(changes.toSorted((a, b) => (a.at < b.at ? -1 : 1)).map((one) => [keyOf(one), one])).values(),
]

/** By kind and id: the departments of an object that exists. */
type Belongings = ReadonlyMap<string, readonly number[]>
const keyOf = ({ domain, objectId }: Pick<Change, 'domain' | 'objectId'>) => `${domain} ${objectId}`

/** Whether a webhook chose the change. A change that names no object, and the end of an object, pass every choice of objects' departments. */
function isChosen({ domains, objects, departments }: Owned, change: Change, belongings: Belongings): boolean {
  if (domains.length && !domains.includes(change.domain)) return false
  if (change.objectId === null) return true
  if (objects.length && !objects.includes(change.objectId)) return false
  const its = belongings.get(keyOf(change))
  return !departments.length || !its || its.some((id) => departments.includes(id))
}

async function readBelongings(tx: Db, departmentsOf: DepartmentsOf, changes: readonly Change[]): Promise<Belongings> {
  const found = new Map<string, readonly number[]>()
  for (const [domain, query] of Object.entries(departmentsOf)) {
    const ids = changes.flatMap((one) => (one.domain === domain && one.objectId !== null ? [one.objectId] : []))
    if (!ids.length) continue
    const read = await rows<{ id: number; departments: number[] }>(tx, query(sql`${sql.param(ids)}::int[]`))
    for (const { id, departments } of read) found.set(keyOf({ domain, objectId: id }), departments)
  }
  return found
}

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
