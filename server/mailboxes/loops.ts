import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import { refused } from '../kit/http/errors.ts'

const DEEPEST = 30
const plain = (address: string) => address.replace(/\+[^@]*@/, '@')

/**
 * Throws 422 beside the field if mail to `from` would come back to it by forwards and aliases of Innkeeper. Forwards
 * outside are not known here; Postfix ends their loops.
 */
export async function refuseLoop(db: Db, from: string, targets: readonly string[], field: string): Promise<void> {
  const cameBy = new Map<string, string>()
  let edge = [...new Set(targets.map(plain))]
  for (const one of edge) cameBy.set(one, from)
  for (let depth = 0; edge.length && depth < DEEPEST; depth++) {
    if (edge.includes(from)) {
      const path = pathTo(from, cameBy)
      throw refused(`This is a loop: ${path.join(' → ')}`, { [field]: `A loop: ${path.join(' → ')}` })
    }
    const next = await targetsOf(db, edge)
    edge = []
    for (const { address, target } of next) {
      const to = plain(target)
      if (cameBy.has(to)) continue
      cameBy.set(to, address)
      edge.push(to)
    }
  }
}

function pathTo(from: string, cameBy: ReadonlyMap<string, string>): string[] {
  const path = [from]
  for (let at = cameBy.get(from); at !== undefined && at !== from && path.length < DEEPEST; at = cameBy.get(at))
    path.unshift(at)
  return [from, ...path]
}

const targetsOf = (db: Db, addresses: readonly string[]) =>
  rows<{ address: string; target: string }>(
    db,
    sql`select address, unnest(forwards) as target from mailbox_users
        where address = any(${sql.param(addresses)}::text[]) and deleted_at is null
      union all select a.address, unnest(a.targets) from mail_aliases a
        join mailboxes m on m.mailbox_id = a.mailbox_id and m.deleted_at is null
        where a.address = any(${sql.param(addresses)}::text[])`,
  )
