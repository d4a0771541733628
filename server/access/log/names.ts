import { contract } from '@innkeeper/contract/index'
import type { Contract } from '@innkeeper/contract/kit/endpoint'
import { sql } from 'drizzle-orm'
import { entryOf } from '../../kit/audit/audit.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'

/** Maximum of people in the filter; further people are found by searching the log. */
const MOST = 1000

/**
 * All names that calls can write to the log, taken from the contract, because a query over ten million rows would be
 * slow.
 */
function fromContract() {
  const entries = Object.entries(contract as Record<string, Contract>).flatMap(([domain, calls]) =>
    Object.entries(calls).map(([name, endpoint]) => entryOf(domain, name, endpoint)),
  )
  const sorted = (names: (string | null)[]) => [...new Set(names.filter((name) => name !== null))].sort()
  return {
    services: sorted(entries.map(({ service }) => service)),
    actions: sorted(entries.map(({ action }) => action)),
    resources: sorted(entries.map(({ resource }) => resource)),
  }
}

let known: ReturnType<typeof fromContract> | undefined

/** Values for the filters. Includes people who left, because their log rows stay. */
export async function readNames(db: Db) {
  known ??= fromContract()
  const staff = await rows<{ id: number; name: string }>(
    db,
    sql`select user_id as id, ${personName()} as name from users order by first_name, last_name, user_id limit ${MOST}`,
  )
  return { ...known, staff }
}
