import type { FileConfig } from '@innkeeper/contract/desk/trackers/shapes'
import { fileTypes, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'

const initial: FileConfig = { version: 1, maxSizeMb: 25, maxFiles: 50, mimeTypes: [...fileTypes] }

export async function readConfig(db: Db, tracker: Tracker): Promise<FileConfig> {
  const [found] = await rows<FileConfig>(
    db,
    sql`select version, max_size_mb as "maxSizeMb", max_files as "maxFiles", mime_types as "mimeTypes"
      from tracker_file_configs where face = ${tracker}`,
  )
  return found ?? initial
}

export async function updateConfig(
  { db, audit }: Context,
  tracker: Tracker,
  { version, ...fields }: { [K in keyof FileConfig]?: FileConfig[K] | undefined },
): Promise<FileConfig> {
  await rows(db, sql`select pg_advisory_xact_lock(hashtext(${`tracker.files.${tracker}`}))`)
  const before = await readConfig(db, tracker)
  checkVersion(before, version, 'The rules for files')
  const { maxSizeMb = before.maxSizeMb, maxFiles = before.maxFiles, mimeTypes = before.mimeTypes } = fields
  await db.execute(sql`insert into tracker_file_configs (face, version, max_size_mb, max_files, mime_types)
    values (${tracker}, 2, ${maxSizeMb}, ${maxFiles}, ${sql.param(mimeTypes)}::text[])
    on conflict (face) do update set version = tracker_file_configs.version + 1, max_size_mb = excluded.max_size_mb,
      max_files = excluded.max_files, mime_types = excluded.mime_types`)
  const after = await readConfig(db, tracker)
  audit.before(before)
  audit.after(after)
  await changed(db, info[tracker].hint)
  return after
}
