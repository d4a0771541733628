import { ResetFile } from '@innkeeper/contract/agent/configs'
import { MOST_RESET } from '@innkeeper/contract/recovery/configs/calls'
import type { ConfigVersion } from '@innkeeper/contract/recovery/configs/shapes'
import { inArray, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { type Db, rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { configBlobs } from '../tables.ts'
import type { State } from '../versions/read.ts'

/** Maximum number of base64 bytes of one reset, because an agent receives its operation in one request. */
const MOST_BYTES = 1_200_000

export type Wanted = {
  service: ConfigVersion['service']
  files: z.output<typeof ResetFile>[]
  remove: string[]
}

/** Files that were added to the service since the version. */
export async function laterFiles(
  db: Db,
  { serverId, service }: ConfigVersion,
  states: readonly State[],
): Promise<string[]> {
  const now = await rows<{ path: string }>(
    db,
    sql`select path from config_files where server_id = ${serverId} and service = ${service} and until is null order by path`,
  )
  const then = new Set(states.map(({ path }) => path))
  return now.flatMap(({ path }) => (then.has(path) ? [] : [path]))
}

/** The input of a reset of these files; those in `full` get their contents. 422 if they are too many for one reset. */
export async function wantedOf(
  db: Db,
  { service }: ConfigVersion,
  files: readonly State[],
  remove: string[],
  full: (state: State) => boolean = () => true,
): Promise<Wanted> {
  const count = files.length + remove.length
  if (count > MOST_RESET) throw tooMany(`${count} files, and one reset takes ${MOST_RESET}`)
  const plain = (state: State) => state.hash && !state.seal && !state.hidden && state.kind === 'file' && full(state)
  const hashes = files.flatMap((state) => (plain(state) ? [state.hash ?? ''] : []))
  const found = hashes.length ? await db.select().from(configBlobs).where(inArray(configBlobs.hash, hashes)) : []
  const contents = new Map(found.map(({ hash, content }) => [hash, content]))
  const wanted = files.map((state) =>
    ResetFile.parse({ ...state, content: plain(state) ? (contents.get(state.hash ?? '') ?? null) : null }),
  )
  const bytes = wanted.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
  if (bytes > MOST_BYTES) throw tooMany('The files are too large for one reset')
  return { service, files: wanted, remove }
}

const tooMany = (why: string) => refused(`${why}: choose some of them`, { paths: why })
