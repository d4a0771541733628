import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { resolverOf } from '../../../net/mailboxes/dns.ts'
import { archiveImports } from '../tables.ts'
import { lookedUp, namesOf } from './names.ts'

/** Title of the round. */
const ROUND = 'the names of a cut-over could not be looked up'
const AT_ONCE = 5

/** Looks up the names of cut-overs, each once a minute, until all lead here. */
export async function watchCutOvers(app: App): Promise<void> {
  const due = await app.db
    .select({ id: archiveImports.id, made: archiveImports.made, names: archiveImports.names })
    .from(archiveImports)
    .where(
      and(
        eq(archiveImports.watching, true),
        isNotNull(archiveImports.made),
        sql`coalesce(${archiveImports.lookedAt}, 'epoch') < now() - interval '1 minute'`,
      ),
    )
    .orderBy(failedLast(app, ROUND, sql`${archiveImports.id}`), sql`${archiveImports.lookedAt} nulls first`)
    .limit(AT_ONCE)
  const look = async ({ id, made, names: before }: (typeof due)[number]) => {
    if (!made) return
    const names = await lookedUp(resolverOf(app), await namesOf(app.db, made))
    const isOver = names.every(({ state }) => state === 'here')
    const isNew = JSON.stringify(names) !== JSON.stringify(before)
    await app.db.transaction(async (tx) => {
      await tx
        .update(archiveImports)
        .set({ names, lookedAt: sql`now()`, ...(isOver && { watching: false }), ...((isNew || isOver) && nextVersion) })
        .where(and(eq(archiveImports.id, id), eq(archiveImports.watching, true)))
      await changed(tx, 'archiveImports', id)
    })
  }
  await eachOf(app, ROUND, due, look, { atOnce: AT_ONCE })
}
