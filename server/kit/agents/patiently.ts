import { setTimeout as sleep } from 'node:timers/promises'
import { isSlow } from '@innkeeper/contract/machines/servers/load'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import type { Work } from '../work/action.ts'
import { ONLINE_S } from './online.ts'

/** How long looks at a server are repeated. Tests change the values. */
export const looking = {
  /** Looks at a server that has time. */
  tries: 20,
  pauseMs: 500,
  /** Silence of one look, at a server that has time and at a slow one. */
  silenceMs: 5000,
  slowSilenceMs: 30_000,
  /** A slow server, or one whose agent is away, is waited for that long. */
  mostMs: 1_800_000,
}

/**
 * Repeats a look at a server until it answers `enough`; otherwise answers the last one after twenty looks. Looks at a
 * server that is slow, or whose agent has just gone silent, do not count: such a server is waited for. A look that is
 * `wrong` counts always: slow is not wrong, and wrong is not slow.
 */
export async function lookPatiently<T>(
  { app, say, signal }: Pick<Work, 'app' | 'say' | 'signal'>,
  serverId: number,
  look: (silenceMs: number) => Promise<T>,
  enough: (found: T) => boolean,
  wrong: (found: T) => boolean = () => false,
): Promise<T> {
  const began = performance.now()
  let found = await look(looking.silenceMs)
  let said = ''
  for (let tries = 1; !enough(found) && tries < looking.tries && !signal.aborted; ) {
    const waits = !wrong(found) && performance.now() - began < looking.mostMs
    const why = waits ? await whyLate(app.db, serverId) : undefined
    if (why && why !== said) say(`${why}: waits for it`)
    said = why ?? said
    if (!why) tries++
    await sleep(looking.pauseMs * (why ? 4 : 1), undefined, { signal }).catch(() => {}) // an aborted sleep ends the loop
    if (!signal.aborted) found = await look(why ? looking.slowSilenceMs : looking.silenceMs)
  }
  return found
}

/** Why a server may answer late; undefined: it has time. */
async function whyLate(db: Db, serverId: number): Promise<string | undefined> {
  const [found] = await rows<{ name: string; load: number; cores: number; away: boolean }>(
    db,
    sql`select s.name, t.load, t.cores, t.last_seen_at < now() - make_interval(secs => ${ONLINE_S}) as away
      from server_states t join servers s on s.server_id = t.server_id where t.server_id = ${serverId}`,
  )
  if (!found) return undefined
  if (found.away) return `${found.name} is away`
  return isSlow(found) ? `${found.name} is slow` : undefined
}
