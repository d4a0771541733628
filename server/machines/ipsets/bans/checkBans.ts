import { around, keyOf, type Network, readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import { sql } from 'drizzle-orm'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Guard } from './protectedNetworks.ts'

export interface Judged {
  network?: Network
  /** The invalid field and the reason. */
  problem?: { field: 'ip' | 'expiresAt'; text: string }
  notes: string[]
}
interface Met {
  ip: string
  bannedBy: string
  expiresAt: string | null
}
const NAMED = 3

/** Validates a ban of an address until `expiresAt`, and compares it with the other bans of the set. */
export async function judge(
  db: Db,
  setId: number,
  guard: Guard,
  ip: string,
  expiresAt: string | null,
): Promise<Judged> {
  const network = readNetwork(ip)
  const notes: string[] = []
  const wrong = (field: 'ip' | 'expiresAt', text: string): Judged => ({
    ...(network && { network }),
    problem: { field, text },
    notes,
  })
  if (!network) return wrong('ip', 'An address or a network, as 192.0.2.1, 10.20.0.0/16 or 2001:db8::/48')
  if (network.text !== ip.trim().toLowerCase()) notes.push(`Kept as ${network.text}`)
  const refusal = guard.against(network)
  if (refusal) return wrong('ip', refusal)
  const problem = endProblem(expiresAt)
  if (problem) return wrong('expiresAt', problem)
  const { same, wider, inside, more } = await meeting(db, setId, network)
  if (same) return wrong('ip', `Banned already by ${same.bannedBy}, ${until(same)}. Change that one instead.`)
  const lasting = wider.find((one) => !endsSooner(one.expiresAt, expiresAt))
  if (lasting) return wrong('ip', `${lasting.ip} covers it already, banned by ${lasting.bannedBy}, ${until(lasting)}`)
  for (const one of wider) notes.push(`${one.ip} covers it ${until(one)}; this ban applies afterwards`)
  if (inside.length) notes.push(`Covers ${named(inside, more)}, which keep their own reasons and ends`)
  return { network, notes }
}

const LONGEST_YEARS = 20
export function endProblem(expiresAt: string | null): string | undefined {
  if (expiresAt === null) return undefined
  const ms = Date.parse(expiresAt) - Date.now()
  if (ms <= 0) return 'This time has passed'
  return ms > LONGEST_YEARS * 366 * 86_400_000
    ? `More than ${LONGEST_YEARS} years: leave it empty for a permanent ban`
    : undefined
}

const endsSooner = (one: string | null, other: string | null) =>
  one !== null && (other === null || Date.parse(one) < Date.parse(other))
const until = ({ expiresAt }: Met) => (expiresAt === null ? 'for good' : `until ${sinceText(expiresAt)}`)

function named(inside: Met[], more: boolean): string {
  const names = inside.slice(0, NAMED).map(({ ip }) => ip)
  const others = inside.length - names.length
  return others ? `${names.join(', ')} and ${more ? 'many' : others} more` : names.join(', ')
}

/** The live bans that equal this network, contain it, or are inside it. */
async function meeting(db: Db, setId: number, network: Network) {
  const { family, first, last, text } = network
  const columns = sql`ip, banned_by as "bannedBy", expires_at as "expiresAt"`
  const live = sql`set_id = ${setId} and ended_at is null and (expires_at is null or expires_at > now())`
  const outer = around(network).map((one) => one.text)
  const above = await rows<Met>(
    db,
    sql`select ${columns} from bans where ${live} and ip = any(${sql.param(outer)}::text[]) order by first, ip`,
  )
  const inside = await rows<Met>(
    db,
    sql`select ${columns} from bans where ${live} and first between ${keyOf(family, first)} and ${keyOf(family, last)}
      and ip <> all(${sql.param(outer)}::text[]) order by first limit 100`,
  )
  return {
    same: above.find(({ ip }) => ip === text),
    wider: above.filter(({ ip }) => ip !== text),
    inside,
    more: inside.length === 100,
  }
}
