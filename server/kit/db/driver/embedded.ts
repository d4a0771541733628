import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync } from 'node:fs'
import { traced } from '../../trace/statements.ts'
import { isTracing } from '../../trace/trace.ts'
import type { Database, Opening } from '../db.ts'
import { lockFolder } from '../folderLock.ts'
import { checkProgram, migrateTo, schemas, statePrograms } from '../migrations.ts'
import { checkRoom, keepRoom } from './diskSpace.ts'
import { shapeQuickly } from './mapping.ts'
import { templateFor } from './template.ts'
import { Turn } from './turn.ts'

const config = { casing: 'snake_case' as const }

export async function openEmbedded(url: string, { schema, from }: Opening): Promise<Database> {
  const [
    { PGlite },
    { DurableFiles, durable, settleFolder },
    { btree_gin },
    { btree_gist },
    { pg_trgm },
    { drizzle },
    { migrate },
  ] = await Promise.all([
    import('@electric-sql/pglite'),
    import('./durable.ts'), // loads PGlite
    import('@electric-sql/pglite/contrib/btree_gin'),
    import('@electric-sql/pglite/contrib/btree_gist'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ])
  const inMemory = url === 'memory:'
  if (!inMemory) mkdirSync(url, { recursive: true, mode: 0o700 })
  if (!inMemory) checkRoom(url)
  const unlock = inMemory ? () => {} : lockFolder(url) // two processes on one data folder would lose rows
  const isNewest = schema === undefined || schema === schemas().at(-1)
  const contents = from ?? (inMemory || !isNewest ? undefined : await templateFor(url))
  const lite = await PGlite.create({
    ...(inMemory ? {} : { fs: new DurableFiles(url) }),
    ...(contents && { loadDataDir: contents }),
    extensions: { btree_gin, btree_gist, pg_trgm },
    ...(inMemory ? {} : { startParams: durable.startParams }),
    postgresqlconf: ['shared_buffers = 16MB', "timezone = 'UTC'", ...(inMemory ? [] : durable.settings)],
  })
  if (!inMemory) keepRoom(lite, url)
  const turn = new Turn()
  turn.guard(lite, 'query', 'exec')
  const { transaction } = lite
  lite.transaction = (work) => turn.hold(() => transaction.call(lite, work)) as ReturnType<typeof transaction<never>>
  const db = traced(shapeQuickly(drizzle(lite, config)))
  if (isTracing()) {
    const begin = db.transaction.bind(db)
    db.transaction = (work, how) => begin((tx) => work(traced(tx)), how)
  }
  if (schema !== 'as-is') {
    try {
      const hint = await checkProgram(db)
      if (hint) console.error(hint)
      await migrateTo(schema, (migrationsFolder) => migrate(db, { migrationsFolder }))
      if (schema === undefined) await statePrograms(db)
    } catch (error) {
      await lite.close()
      unlock()
      throw error
    }
  }
  if (!inMemory) await settleFolder(lite, url, (error) => console.error(error))
  return {
    db,
    kind: 'embedded',
    isAway: () => false,
    async listen(channel, heard) {
      // PGlite calls from within the transaction that has notified, which is still open then
      const outside = AsyncLocalStorage.snapshot()
      await lite.listen(channel, (payload) => outside(heard, payload))
      heard('')
    },
    async close() {
      await lite.close()
      unlock()
    },
  }
}
