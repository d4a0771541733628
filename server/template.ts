import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { templateFile } from './kit/db/driver/template.ts'
import { openDatabase } from './kit/db/open.ts'

/** Writes an embedded database with every migration, from which a first start begins: `npm run build`. */
const { db, close } = await openDatabase('memory:')
await db.execute(sql`checkpoint`) // otherwise each database that begins with the template begins with a recovery
const { $client: lite } = db as unknown as { $client: PGlite } // Drizzle's, of an embedded database
const dump = await lite.dumpDataDir('gzip')
mkdirSync(dirname(templateFile), { recursive: true })
writeFileSync(templateFile, Buffer.from(await dump.arrayBuffer()))
await close()
