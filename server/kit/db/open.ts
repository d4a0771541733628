import type { Database, Opening } from './db.ts'
import { openEmbedded } from './driver/embedded.ts'
import { openPostgres } from './driver/postgres.ts'

/** `postgres://…` is a server; `memory:` is embedded and forgets; anything else is the folder of an embedded one. */
export async function openDatabase(url: string, opening: Opening = {}): Promise<Database> {
  return /^postgres(ql)?:/.test(url) ? openPostgres(url, opening) : openEmbedded(url, opening)
}
