import { contract } from '@innkeeper/contract/index'
import type { Contract } from '@innkeeper/contract/kit'
import { sql } from 'drizzle-orm'
import { entryOf } from '../kit/audit/audit.ts'
import { type Db, rows } from '../kit/db/db.ts'

/** Staff to choose from; a longer list is searched by name in the log itself. */
const MOST = 1000

/** Every name that a call can leave in the log: asked of the contract, as ten million rows would be slow to say. */
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

/** Those who left stand in the log for ever, and so in this list. */
export async function readNames(db: Db) {
  known ??= fromContract()
  const staff = await rows<{ id: number; name: string }>(
    db,
    sql`select user_id as id, first_name || ' ' || last_name as name from users order by first_name, last_name, user_id limit ${MOST}`,
  )
  return { ...known, staff }
}
