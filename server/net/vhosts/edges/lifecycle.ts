import { and, eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { describe, type Outcome, onEnd } from '../../../kit/work/workflow.ts'
import { vhostEdges, vhosts } from './tables.ts'

const edgesIn = (vhostId: number, state: 'coming' | 'going') =>
  and(eq(vhostEdges.vhostId, vhostId), eq(vhostEdges.state, state))

/** Makes new edges live and deletes the rows of removed edges; after a rollback the reverse. */
async function settleEdges(tx: Db, vhostId: number, outcome: Outcome): Promise<void> {
  const [came, went] = outcome === 'done' ? (['coming', 'going'] as const) : (['going', 'coming'] as const)
  await tx.delete(vhostEdges).where(edgesIn(vhostId, went))
  await tx.update(vhostEdges).set({ state: 'live' }).where(edgesIn(vhostId, came))
}

/** Marks the files on the edges as equal, because the workflow has just written them. */
const areSame = (tx: Db, vhostId: number) =>
  tx.update(vhostEdges).set({ seen: 'same', seenAt: sql`now()` }).where(eq(vhostEdges.vhostId, vhostId))

type Settle = (tx: Db, vhostId: number) => Promise<unknown>
const gone: Settle = (tx, id) =>
  tx
    .update(vhosts)
    .set({ deletedAt: sql`now()`, ...nextVersion })
    .where(eq(vhosts.id, id))
const stands: Settle = (tx, id) =>
  tx
    .update(vhosts)
    .set({ status: 'active', ...nextVersion })
    .where(eq(vhosts.id, id))
const asRequested: Settle = (tx, id) =>
  tx.execute(sql`update vhosts set cdn = coalesce((pending ->> 'cdn')::boolean, cdn),
    minutes = coalesce((pending ->> 'minutes')::int, minutes), stale = coalesce((pending ->> 'stale')::boolean, stale),
    rules = coalesce(pending -> 'rules', rules),
    pending = null, version = version + 1, updated_at = now() where vhost_id = ${id}`)
const asBefore: Settle = (tx, id) =>
  tx
    .update(vhosts)
    .set({ pending: null, ...nextVersion })
    .where(eq(vhosts.id, id))

interface Kind {
  title: string
  doing: string
  done: Settle
  'rolled-back': Settle
}
const kinds: Record<string, Kind> = {
  'vhost.create': { title: 'Put behind an edge', doing: 'coming behind an edge', done: stands, 'rolled-back': gone },
  'vhost.remove': { title: 'Take from its edges', doing: 'leaving its edges', done: gone, 'rolled-back': stands },
  'vhost.cdn': { title: 'Change CDN', doing: 'getting another CDN', done: asRequested, 'rolled-back': asBefore },
  'vhost.xdn': { title: 'Change XDN', doing: 'getting another XDN', done: asBefore, 'rolled-back': asBefore },
  'vhost.clear': { title: 'Clear cached pages', doing: 'being cleared', done: asBefore, 'rolled-back': asBefore },
  'vhost.resync': { title: 'Resync edges', doing: 'being resynced', done: asBefore, 'rolled-back': asBefore },
}

/** Copies to the website row whether edges cache its pages. */
async function showOnWebsite(tx: Db, vhostId: number): Promise<void> {
  const [told] = await rows<{ id: number }>(
    tx,
    sql`update websites w set cdn = now.cdn, version = w.version + 1, updated_at = now()
      from (select website_id, cdn and deleted_at is null and status = 'active' as cdn from vhosts where vhost_id = ${vhostId}) now
      where w.website_id = now.website_id and w.cdn <> now.cdn returning w.website_id as id`,
  )
  if (told) await changed(tx, 'websites', told.id)
}

/** Declares the workflows of this file, for domain.ts. */
export function edgeWorkflows(): void {
  for (const [kind, { title, doing, ...ends }] of Object.entries(kinds)) {
    describe(kind, { title, doing })
    onEnd(kind, async (tx, { subjectId: id }, outcome) => {
      if (outcome === 'done' || outcome === 'rolled-back') {
        await settleEdges(tx, id, outcome)
        await ends[outcome](tx, id)
        if (outcome === 'done' && kind !== 'vhost.clear') await areSame(tx, id)
        await showOnWebsite(tx, id)
      }
      await changed(tx, 'vhosts', id)
    })
  }
}
