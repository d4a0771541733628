import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { conflict } from '../../../kit/http/errors.ts'
import type { Move } from '../startMove.ts'
import { check } from './preflight.ts'

/** How long a move that is due waits for problems that end by themselves. */
export const PATIENCE_MS = 3_600_000

/**
 * 409 for problems that end by themselves, so that the move waits: another workflow locks the website or one that moves
 * with it, or an agent is too old, as in the minutes after an upgrade of Innkeeper.
 */
export async function refuseForNow(
  tx: Db,
  { sourceWebsiteId, targetServerId, targetUserId, parentId, withCopies, reverseOf, sites }: Move,
): Promise<void> {
  const into = { account: targetUserId ?? undefined, parentId }
  const { family, findings } = await check(tx, sourceWebsiteId, targetServerId, {
    ...{ into, withCopies, returning: reverseOf !== null, sites },
  })
  const old = findings.filter(({ key, level }) => key === 'agent' && level === 'blocker').map(({ text }) => text)
  if (old.length) throw conflict(old.join('\n'))
  const [busy] = await rows<{ domain: string; holder: string }>(
    tx,
    sql`select w.domain, l.holder from resource_locks l join websites w on 'website:' || w.website_id = l.resource
      where w.website_id in ${family.map(({ id }) => id)} limit 1`,
  )
  if (busy) throw conflict(`${busy.domain} is being worked on by ${busy.holder}`)
}
