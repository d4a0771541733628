import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'

const DEEPEST = 30
const plain = (address: string) => address.replace(/^([^+@]*)\+[^@]*@/, '$1@')
/** `@domain` stands for all addresses of a domain that are neither a mailbox nor an alias. */
const shown = (address: string) => (address.startsWith('@') ? `the catch-all of ${address.slice(1)}` : address)

/**
 * 422 beside the field if stored forwards, aliases and catch-all addresses return mail for `from` to `from`: Postfix
 * would refuse all mail to these addresses. Forwards outside Innkeeper are unknown here; Postfix ends such loops.
 */
export async function refuseLoop(db: Db, from: string, targets: readonly string[], field: string): Promise<void> {
  const cameBy = new Map<string, string>()
  let edge = await arriving(db, targets)
  for (const one of edge) cameBy.set(one, from)
  for (let depth = 0; edge.length && depth < DEEPEST; depth++) {
    if (edge.includes(from)) {
      const path = pathTo(from, cameBy).map(shown).join(' → ')
      throw refused(`This is a loop: ${path}`, { [field]: `A loop: ${path}` })
    }
    const next = await targetsOf(db, edge)
    edge = []
    for (const [address, found] of Map.groupBy(next, (one) => one.address))
      for (const to of await arriving(
        db,
        found.map(({ target }) => target),
      )) {
        if (cameBy.has(to)) continue
        cameBy.set(to, address)
        edge.push(to)
      }
  }
}

/**
 * Throws 422 if the catch-all address of a domain leads back to itself, as after the deletion of an address to which
 * others lead.
 */
export async function refuseCatchAllLoop(
  db: Db,
  { domain, catchAll }: { domain: string; catchAll: string | null },
  field: string,
): Promise<void> {
  if (catchAll) await refuseLoop(db, `@${domain}`, [catchAll], field)
}

/**
 * Throws 422 if addresses of a restored domain are part of a loop: while the domain was in the trash, addresses of other
 * domains could be led to it. Only paths that leave the domain and return are followed.
 */
export async function refuseLoopsThrough(db: Db, { id, domain }: { id: number; domain: string }): Promise<void> {
  const outside = await rows<{ target: string }>(
    db,
    sql`select distinct target from (
        select unnest(forwards) as target from mailbox_users where mailbox_id = ${id} and deleted_at is null
        union all select unnest(targets) from mail_aliases where mailbox_id = ${id}
        union all select catch_all from mailboxes where mailbox_id = ${id}) t
      where split_part(target, '@', 2) <> ${domain}`,
  )
  const seen = new Set<string>()
  let edge = await arriving(
    db,
    outside.map(({ target }) => target),
  )
  for (let depth = 0; edge.length && depth < DEEPEST; depth++) {
    for (const one of edge) seen.add(one)
    const next = await arriving(
      db,
      (await targetsOf(db, edge)).map(({ target }) => target),
    )
    for (const address of next.filter((one) => one.endsWith(`@${domain}`))) {
      const targets = await targetsOf(db, [address])
      await refuseLoop(
        db,
        address,
        targets.map(({ target }) => target),
        'domain',
      )
    }
    edge = next.filter((one) => !seen.has(one))
  }
}

function pathTo(from: string, cameBy: ReadonlyMap<string, string>): string[] {
  const path = [from]
  for (let at = cameBy.get(from); at !== undefined && at !== from && path.length < DEEPEST; at = cameBy.get(at))
    path.unshift(at)
  return [from, ...path]
}

/** Where mail to these addresses arrives: at the address, or at the catch-all of its domain. */
async function arriving(db: Db, targets: readonly string[]): Promise<string[]> {
  const found = await rows<{ address: string }>(
    db,
    sql`select distinct case when m.catch_all is not null
          and not exists (select from mailbox_users u where u.address = t.address and u.deleted_at is null)
          and not exists (select from mail_aliases a where a.mailbox_id = m.mailbox_id and a.address = t.address)
        then '@' || m.domain else t.address end as address
      from unnest(${sql.param(targets.map(plain))}::text[]) t (address)
        left join mailboxes m on m.domain = split_part(t.address, '@', 2) and m.deleted_at is null`,
  )
  return found.map(({ address }) => address)
}

const targetsOf = (db: Db, addresses: readonly string[]) =>
  rows<{ address: string; target: string }>(
    db,
    sql`select address, unnest(forwards) as target from mailbox_users
        where address = any(${sql.param(addresses)}::text[]) and deleted_at is null
      union all select a.address, unnest(a.targets) from mail_aliases a
        join mailboxes m on m.mailbox_id = a.mailbox_id and m.deleted_at is null
        where a.address = any(${sql.param(addresses)}::text[])
      union all select '@' || domain, catch_all from mailboxes
        where domain = any(${sql.param(addresses.flatMap((one) => (one.startsWith('@') ? one.slice(1) : [])))}::text[]) and deleted_at is null and catch_all is not null`,
  )
