import { and, eq, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { leaveBlobs } from '../../../kit/storage/blobs.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { databaseExports, databaseImports } from '../tables.ts'
import { discard } from './beginImport.ts'
import { readImports } from './view.ts'

/** Days for which a dump waits on its server for somebody who imports it. */
const IMPORT_DAYS = 3

const isStale = sql`${databaseImports.status} in ('ready', 'failed')
  and ${databaseImports.updatedAt} < now() - make_interval(days => ${IMPORT_DAYS}::int)`

/** Deletes exports whose time is over, and dumps that nobody imported within `IMPORT_DAYS`. */
export async function endDumps(app: App): Promise<number> {
  const { db } = app
  const gone = await db.transaction(async (tx) => {
    const over = await tx
      .update(databaseExports)
      .set({ status: 'gone', ...nextVersion })
      .where(and(eq(databaseExports.status, 'ready'), sql`until < now()`))
      .returning({ key: databaseExports.key })
    await leaveBlobs(
      tx,
      over.map(({ key }) => key),
    )
    if (over.length) await changed(tx, 'databases')
    return over.length
  })
  const stale = await readImports(db, isStale)
  await eachOf(app, 'a dump could not be discarded', stale, (one) =>
    db.transaction(async (tx) => {
      // another worker may discard the dump, and somebody may import it
      const own = tx.select({ id: databaseImports.id }).from(databaseImports)
      const [still] = await own.where(and(eq(databaseImports.id, one.id), isStale)).for('update', { skipLocked: true })
      if (still) await discard(tx, one, { id: null, name: 'Innkeeper' })
    }),
  )
  return gone + stale.length
}
