import { ConfigContents, type ConfigFile, ConfigListing } from '@innkeeper/contract/agent/configs'
import { sql } from 'drizzle-orm'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'

const AT_ONCE = 100
/** Maximum number of files of one server. More indicate a folder that should not be collected, such as a cache below /etc. */
const MOST_FILES = 50_000

export interface Seen {
  files: ConfigFile[]
  /** Number of files whose names cannot be shown. */
  skipped: number
}

/** Reads the list of all files of a server from its agent, page by page. */
export async function listFiles(app: App, serverId: number): Promise<Seen> {
  const files: ConfigFile[] = []
  for (let after: string | undefined; ; ) {
    const input = after === undefined ? {} : { after }
    const page = ConfigListing.parse(await liveRead(app, serverId, 'configs.list', input))
    files.push(...page.files)
    if (page.next === null || files.length > MOST_FILES) return { files, skipped: page.skipped }
    after = page.next
  }
}

type Contents = (typeof ConfigContents)['_output']

/** Fetches the contents that are not stored yet, by hash, and the authors who deleted the files in `gone`. */
export async function fetchContents(app: App, serverId: number, files: readonly ConfigFile[], gone: readonly string[]) {
  const contents = new Map<string, string>()
  const removers = new Map<string, Contents['gone'][number]['by']>()
  let open = await unknownOf(app.db, files)
  const left = [...gone]
  while (open.length || left.length) {
    const asked = open.slice(0, AT_ONCE).map(({ path, hash }) => ({ path, hash: hash ?? '' }))
    const input = { files: asked, gone: left.splice(0, AT_ONCE) }
    const answer = ConfigContents.parse(await liveRead(app, serverId, 'configs.read', input))
    for (const { hash, content } of answer.contents) contents.set(hash, content)
    for (const { path, by } of answer.gone) removers.set(path, by)
    const later = new Set(answer.rest.length < asked.length ? answer.rest : []) // an answer without progress ends the loop
    open = [...open.filter(({ path }) => later.has(path)), ...open.slice(AT_ONCE)]
  }
  return { contents, removers }
}

/** One file for each content that is not stored yet. */
async function unknownOf(db: Db, files: readonly ConfigFile[]): Promise<ConfigFile[]> {
  const byHash = new Map<string, ConfigFile>()
  for (const file of files) if (file.hash && file.kind === 'file' && !file.hidden) byHash.set(file.hash, file)
  const known = await rows<{ hash: string }>(
    db,
    sql`select hash from config_blobs where hash = any(${sql.param([...byHash.keys()])}::text[])`,
  )
  for (const { hash } of known) byHash.delete(hash)
  return [...byHash.values()]
}
