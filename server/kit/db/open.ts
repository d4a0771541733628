import type { Database, Opening } from './db.ts'
import { openEmbedded } from './driver/embedded.ts'
import { openPostgres } from './driver/postgres.ts'

/**
 * `postgres://…` connects to a server, `memory:` opens an embedded database without files, any other text is the folder
 * of an embedded database.
 */
export async function openDatabase(url: string, opening: Opening = {}): Promise<Database> {
  return /^postgres(ql)?:/.test(url) ? openPostgres(url, opening) : openEmbedded(url, opening)
}
