import type { ipsets as contract } from '@innkeeper/contract/machines/ipsets/calls'
import { keyOf, type Network, readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { inTurns } from '../../../kit/db/inTurns.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changeSet } from '../publications/publish.ts'
import { holdSet } from '../view.ts'
import { endProblem } from './checkBans.ts'
import { readGuard } from './protectedNetworks.ts'

/** Number of invalid lines that are reported individually; further lines are only counted. */
const SAID = 200
/** Bans per statement. A large statement would block the embedded database and the process. */
const AT_ONCE = 1_000

/**
 * Imports the addresses of a text, one per line; `#` and `;` start comments. Skips addresses that are already banned.
 */
export const bring: Handlers<typeof contract>['bring'] = async (input, { db, app, staff, request, audit }) => {
  const { set: key, text, reason = null, expiresAt = null } = input
  const set = await holdSet(db, key)
  audit.of('ip-set', set.id)
  const problem = endProblem(expiresAt)
  if (problem) throw refused(problem, { expiresAt: problem })
  const guard = await readGuard(db, app, request.ip)
  const skipped: { line: number; text: string; why: string }[] = []
  const wanted = new Map<string, { network: Network; line: number }>()
  for (const [n, line] of text.split(/\r?\n/).entries()) {
    const typed = line.replace(/[#;].*$/s, '').trim()
    if (!typed) continue
    const network = readNetwork(typed)
    const why = network ? guard.against(network) : 'Not an address or a network'
    if (why || !network) skipped.push({ line: n + 1, text: typed.slice(0, 80), why: why ?? '' })
    else if (wanted.has(network.text)) skipped.push({ line: n + 1, text: typed, why: 'Repeats a line above' })
    else wanted.set(network.text, { network, line: n + 1 })
  }
  const room = set.maxElements - set.bans
  if (wanted.size > room)
    throw refused(`${set.name} has room for ${room} more bans, but these are ${wanted.size}`, {
      text: `Room for ${room} more`,
    })
  const all = [...wanted.values()]
  let banned = 0
  for await (const some of inTurns(all, AT_ONCE)) {
    const batch = some.map(({ network: { text: ip, family, first } }) => ({ ip, first: keyOf(family, first) }))
    const made = await rows<{ ip: string }>(
      db,
      sql`insert into bans (set_id, ip, first, reason, origin, banned_by, expires_at, change)
        select ${set.id}::int, ip, first, ${reason}::text, 'import', ${staff.name}::text, ${expiresAt}::timestamptz, ${set.change + 1}::int
        from json_to_recordset(${JSON.stringify(batch)}::json) as t(ip text, first text) on conflict do nothing returning ip`,
    )
    banned += made.length
    const known = new Set(made.map(({ ip }) => ip))
    for (const { network, line } of some)
      if (!known.has(network.text)) skipped.push({ line, text: network.text, why: 'Banned already' })
  }
  const { workflowIds } = banned ? await changeSet(db, set, banned, staff) : { workflowIds: [] }
  audit.after({ name: set.name, banned, reason, expiresAt })
  if (workflowIds[0] !== undefined) audit.workflow(workflowIds[0])
  skipped.sort((a, b) => a.line - b.line)
  return { banned, skipped: skipped.slice(0, SAID), unsaid: Math.max(0, skipped.length - SAID), workflowIds }
}
