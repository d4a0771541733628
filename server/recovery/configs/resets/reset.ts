import { NO_CONTENT, ResetPreview } from '@innkeeper/contract/agent/configs'
import type { configs as contract } from '@innkeeper/contract/recovery/configs/calls'
import type { ConfigVersion } from '@innkeeper/contract/recovery/configs/shapes'
import { eq, inArray, sql } from 'drizzle-orm'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { step } from '../../../kit/work/action.ts'
import { describe, onEnd, rollBackWhen, start, whyStopped } from '../../../kit/work/workflow.ts'
import { configsReset } from '../actions.ts'
import { askFor } from '../collections/due.ts'
import { configResets, type configServers } from '../tables.ts'
import { readVersion, statesOf } from '../versions/read.ts'
import { actionOf, titles } from '../words.ts'
import { laterFiles, type Wanted, wantedOf } from './wanted.ts'

type Calls = Handlers<typeof contract>

/**
 * Asks the server what a reset would do. The first request includes the contents of files that differ from the last
 * collection. For files that changed after the collection, a second request includes their contents.
 */
export const previewReset: Calls['preview'] = async ({ id }, { db, app }) => {
  const version = await readVersion(db, id)
  if (version.serverRemoved) throw refused(`${version.serverName} was removed: nothing can be reset there`)
  const states = await statesOf(db, version)
  const later = await laterFiles(db, version, states)
  const ask = async (wanted: Wanted) =>
    ResetPreview.parse(await liveRead(app, version.serverId, 'configs.preview', wanted))
  const first = await ask(await wantedOf(db, version, states, later, ({ until }) => until !== null))
  const bare = new Set(first.files.filter(({ reason }) => reason === NO_CONTENT).map(({ path }) => path))
  const open = states.filter(({ path, hidden }) => bare.has(path) && !hidden)
  const more = open.length ? (await ask(await wantedOf(db, version, open, []))).files : []
  const better = new Map(more.map((file) => [file.path, file]))
  return {
    ...{ effect: first.effect, serverName: version.serverName, askedAt: new Date().toISOString() },
    files: first.files.map((file) => better.get(file.path) ?? file),
  }
}

export const reset: Calls['reset'] = async ({ id, paths }, { db, staff, audit }) => {
  const version = await readVersion(db, id)
  const { serverId, serverName, service, number } = version
  if (version.serverRemoved) throw refused(`${serverName} was removed: nothing can be reset there`)
  const wanted = await chosen(db, version, paths)
  const files = wanted.files.length + wanted.remove.length
  const subject = { type: 'server', id: serverId, name: serverName }
  const resource = { type: 'config', id: serverId, name: `${titles[service]} of ${serverName}` }
  const workflowId = await start(db, {
    ...{ kind: KIND, subject, holder: staff.name, startedById: staff.id, locks: [`server:${serverId}`] },
    plan: [step(configsReset, wanted, { server: serverId, resource })],
  })
  const [made] = await db
    .insert(configResets)
    .values({
      ...{ versionId: id, serverId, serverName, service, number, files, workflowId, startedBy: staff.name },
      action: actionOf[service],
    })
    .returning({ id: configResets.id })
  audit.of('config', id)
  audit.after({
    server: serverName,
    service,
    number,
    files: [...wanted.files.map(({ path }) => path), ...wanted.remove],
  })
  audit.workflow(workflowId)
  await changed(db, 'configs')
  return { id: made?.id ?? 0, workflowId }
}

/** The chosen files: files of the version, and files added since the version; by default all. */
async function chosen(db: Db, version: ConfigVersion, paths: readonly string[] | undefined): Promise<Wanted> {
  const states = await statesOf(db, version)
  const later = await laterFiles(db, version, states)
  if (!paths) return wantedOf(db, version, states, later)
  const known = new Set([...states.map(({ path }) => path), ...later])
  const unknown = paths.find((path) => !known.has(path))
  if (unknown)
    throw refused(`${unknown} is not a file of this version`, { paths: `${unknown} is not a file of this version` })
  const isChosen = (path: string) => paths.includes(path)
  return wantedOf(
    db,
    version,
    states.filter(({ path }) => isChosen(path)),
    later.filter(isChosen),
  )
}

const KIND = 'config.reset'

/** Dismisses finished resets: those in `ids`, or all. */
export const dismissLogs: Calls['dismissLogs'] = async ({ ids }, { db, audit }) => {
  if (ids) await checkEnded(db, ids)
  const done = await db
    .update(configResets)
    .set({ dismissedAt: sql`now()` })
    .where(
      sql`${configResets.status} <> 'pending' and ${configResets.dismissedAt} is null
        and (${ids === undefined} or ${configResets.id} = any(${sql.param(ids ?? [])}::int[]))`,
    )
    .returning({ id: configResets.id })
  audit.after({ dismissed: done.map(({ id }) => id) })
  await changed(db, 'configs')
  return { dismissed: done.length }
}

async function checkEnded(db: Db, ids: readonly number[]): Promise<void> {
  const found = await db
    .select({ id: configResets.id, status: configResets.status })
    .from(configResets)
    .where(inArray(configResets.id, [...ids]))
  const gone = ids.find((id) => !found.some((one) => one.id === id))
  if (gone !== undefined) throw refused(`There is no reset ${gone}`, { ids: `No reset ${gone}` })
  const going = found.find(({ status }) => status === 'pending')
  if (going) throw conflict(`Reset ${going.id} is running: wait for its end`)
}

export const isCollecting = ({ nextAt, heldUntil }: typeof configServers.$inferSelect): boolean => {
  const now = new Date().toISOString()
  return nextAt <= now || (heldUntil !== null && heldUntil > now)
}

/** Declares the workflows of this file, for domain.ts. */
export function resetWorkflows(): void {
  describe(KIND, { title: 'Reset configuration', doing: 'getting an earlier configuration' })
  // rolled back without staff, because a failed driver leaves everything unchanged: the server is unlocked again
  rollBackWhen(KIND, async () => true)
  onEnd(KIND, async (tx, { id, subjectId, holder }, outcome) => {
    const ofWorkflow = eq(configResets.workflowId, id)
    if (outcome === 'failed')
      await tx
        .update(configResets)
        .set({ message: await whyStopped(tx, id) })
        .where(ofWorkflow)
    if (outcome === 'done' || outcome === 'rolled-back') {
      const status = outcome === 'done' ? 'done' : 'failed'
      await tx.update(configResets).set({ status, endedAt: sql`now()` }).where(ofWorkflow)
      await askFor(tx, { trigger: 'reset', name: holder }, [subjectId])
    }
    await changed(tx, 'configs')
  })
}
