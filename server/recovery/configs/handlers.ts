import type { configs as contract } from '@innkeeper/contract/recovery/configs/calls'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { servers } from '../../machines/servers/tables.ts'
import { askFor } from './collections/due.ts'
import { listCollections, listResets, listVersions } from './list.ts'
import { dismissLogs, previewReset, reset } from './resets/reset.ts'
import { deleteVersion } from './retention.ts'
import { readServerConfigs } from './servers.ts'
import { configBlobs } from './tables.ts'
import { diffVersions } from './versions/diff.ts'
import { readVersion, statesOf, viewVersion } from './versions/read.ts'
import { titles } from './words.ts'

export const configsHandlers: Handlers<typeof contract> = {
  collections: listCollections,
  logs: listResets,
  list: listVersions,
  dismissLogs,
  preview: previewReset,
  reset,

  view: ({ id }, { db }) => viewVersion(db, id),

  async remove({ id }, { db, audit }) {
    const version = await readVersion(db, id)
    const { current, serverRemoved, serverName, service, number } = version
    if (current && !serverRemoved)
      throw conflict(
        `${titles[service]} of ${serverName} has this configuration: the newest version cannot be deleted`,
        {
          current: version,
        },
      )
    audit.of('config', id)
    audit.before({ server: serverName, service, number })
    await deleteVersion(db, version)
    await changed(db, 'configs', id)
  },

  async file({ id, path }, { db }) {
    const states = await statesOf(db, await readVersion(db, id))
    const state = states.find((one) => one.path === path)
    if (!state) throw notFound('file', path)
    if (state.kind === 'link') return { path, text: `→ ${state.target}`, hidden: false }
    if (state.hidden || !state.hash) return { path, text: '', hidden: true }
    const [blob] = await db.select().from(configBlobs).where(eq(configBlobs.hash, state.hash))
    return { path, text: Buffer.from(blob?.content ?? '', 'base64').toString(), hidden: false }
  },

  diff: ({ id, with: other }, { db }) => diffVersions(db, id, other),

  async collect({ serverIds }, { db, staff, audit }) {
    if (serverIds) await checkServers(db, serverIds)
    const asked = await askFor(db, { trigger: 'demand', name: staff.name }, serverIds)
    audit.after({ servers: asked })
    await changed(db, 'configs')
    return { servers: asked }
  },

  async server({ id }, { db }) {
    const [found] = await db
      .select({ id: servers.id })
      .from(servers)
      .where(and(eq(servers.id, id), isNull(servers.deletedAt)))
    if (!found) throw notFound('server', id)
    return readServerConfigs(db, id)
  },
}

async function checkServers(db: Parameters<typeof askFor>[0], ids: readonly number[]): Promise<void> {
  const found = await rows<{ id: number; enrolled: boolean; name: string }>(
    db,
    sql`select server_id as id, name, credential_hash is not null as enrolled from servers
      where server_id = any(${sql.param([...ids])}::int[]) and deleted_at is null`,
  )
  const missing = ids.find((id) => !found.some((server) => server.id === id))
  if (missing) throw refused(`No server ${missing}`, { serverIds: `There is no server ${missing}` })
  const bare = found.find(({ enrolled }) => !enrolled)
  if (bare)
    throw refused(`The agent of ${bare.name} has not enrolled yet`, { serverIds: `${bare.name} has no agent yet` })
}
