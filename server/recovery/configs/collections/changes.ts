import type { ConfigFile, ConfigService } from '@innkeeper/contract/agent/configs'
import { eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { configFiles } from '../tables.ts'

export type Stored = typeof configFiles.$inferSelect
export interface Difference {
  path: string
  service: ConfigService
  before: Stored | undefined
  /** Undefined if the file was deleted. */
  after: ConfigFile | undefined
}

export const currentFiles = (db: Db, serverId: number): Promise<Stored[]> =>
  db
    .select()
    .from(configFiles)
    .where(sql`${eq(configFiles.serverId, serverId)} and ${isNull(configFiles.until)}`)

const compared = ['service', 'kind', 'hash', 'seal', 'hidden', 'mode', 'owner', 'group', 'target'] as const

/** Differences between the stored files and those of the server. A different author alone does not count. */
export function differencesOf(stored: readonly Stored[], files: readonly ConfigFile[]): Difference[] {
  const before = new Map(stored.map((row) => [row.path, row]))
  const differences: Difference[] = []
  for (const after of files) {
    const row = before.get(after.path)
    before.delete(after.path)
    // `size` is not compared, because it differs alone if only the checksum of a secret is collected
    if (!row || compared.some((key) => row[key] !== after[key]))
      differences.push({ path: after.path, service: after.service, before: row, after })
  }
  for (const row of before.values())
    differences.push({ path: row.path, service: row.service, before: row, after: undefined })
  return differences
}

/** Whether a person changed a file of Innkeeper, and Innkeeper has not written the file since. */
export const isDrift = ({ before, after }: Difference): boolean =>
  after?.by === 'person' && before !== undefined && (before.by === 'innkeeper' || before.drifted)
