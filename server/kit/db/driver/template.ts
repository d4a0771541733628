import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folder } from '../migrations.ts'

/** The data folder of an embedded database with every migration of its build, as a tar. */
export const templateFile = join(folder, 'dist/template.tar.gz')

/**
 * What a new embedded database in `url` begins with: making one and running every migration takes eleven seconds of a
 * processor. Undefined if the folder has a database, or if nothing was built.
 */
export async function templateFor(url: string): Promise<Blob | undefined> {
  if (existsSync(join(url, 'PG_VERSION')) || !existsSync(templateFile)) return undefined
  return new Blob([await readFile(templateFile)])
}
