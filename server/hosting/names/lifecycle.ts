import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, onEnd } from '../../kit/work/workflow.ts'
import { opensAgain } from '../websites/closed.ts'
import { websites } from '../websites/tables.ts'

interface Moved {
  id: number
  from: string
  to: string
  root: string
  keepDays: number
}

/** Applies a finished rename: each website takes its new name, and the row that reserved that name becomes the former name. */
async function settle(tx: Db, workflowId: number): Promise<void> {
  for (const move of await movesOf(tx, workflowId)) {
    const { id, from, to, root } = move
    await aliasesFollow(tx, workflowId, move)
    // a placeholder while two rows exchange their domains, because domains are unique
    const [held] = await tx
      .update(websites)
      .set({ domain: sql`'~' || ${websites.id}` })
      .where(and(eq(websites.domain, to), eq(websites.workflowId, workflowId), eq(websites.kind, 'alias')))
      .returning({ id: websites.id })
    await tx
      .update(websites)
      .set({ domain: to, documentRoot: root, ...nextVersion })
      .where(eq(websites.id, id))
    await tx.execute(sql`update websites set document_root = ${root} where parent_id = ${id} and kind = 'alias'`)
    if (held) await becomeFormer(tx, held.id, from, move.keepDays)
  }
  await rootsFollow(tx, workflowId)
}

const movesOf = (tx: Db, workflowId: number) =>
  rows<Moved>(
    tx,
    sql`select a.resource_id as id, a.input ->> 'from' as from, a.input ->> 'domain' as to, a.input ->> 'root' as root,
        coalesce((select (p.input ->> 'keepDays')::int from actions p where p.workflow_id = a.workflow_id
          and p.name = 'website.redirect-probe' and p.resource_id = a.resource_id limit 1), 0) as "keepDays"
      from actions a where a.workflow_id = ${workflowId} and a.name in ('nginx-site.rename', 'apache-site.rename') order by a.position`,
  )

/** Turns a row into a former name that redirects (301) for `keepDays`. With 0 days the name ends now. */
const becomeFormer = (tx: Db, id: number, domain: string, keepDays: number) =>
  tx
    .update(websites)
    .set({
      domain,
      mode: 'redirect',
      status: 'active',
      statusBefore: null,
      ...nextVersion,
      ...(keepDays > 0
        ? { until: sql`now() + make_interval(days => ${keepDays}::int)` }
        : { status: 'deleted' as const, deletedAt: sql`now()`, purgedAt: sql`now()` }),
    })
    .where(eq(websites.id, id))

/** Aliases that were renamed with the website: the reserved row becomes the alias, the old alias a former name. */
async function aliasesFollow(tx: Db, workflowId: number, { id, from, to, keepDays }: Moved): Promise<void> {
  const fresh = await tx
    .select({ id: websites.id, domain: websites.domain })
    .from(websites)
    .where(
      and(
        eq(websites.workflowId, workflowId),
        eq(websites.parentId, id),
        eq(websites.kind, 'alias'),
        sql`${websites.domain} <> ${to}`,
      ),
    )
  for (const { id: freshId, domain } of fresh) {
    const old = `${domain.slice(0, -to.length)}${from}`
    const [row] = await rows<{ id: number }>(
      tx,
      sql`select website_id as id from websites where domain = ${old} and parent_id = ${id} and deleted_at is null`,
    )
    if (row) await becomeFormer(tx, row.id, old, keepDays)
    await tx
      .update(websites)
      .set({ status: 'active', ...nextVersion })
      .where(eq(websites.id, freshId))
  }
}

/** Updates the document roots of sub-websites inside a renamed folder. */
const rootsFollow = (tx: Db, workflowId: number) =>
  tx.execute(sql`update websites w set document_root = a.input ->> 'root', version = w.version + 1, updated_at = now()
    from actions a where a.workflow_id = ${workflowId} and a.name in ('nginx-site.ensure', 'apache-site.ensure') and a.input ? 'beforeRoot'
      and w.website_id = a.resource_id`)

/** Applies a rollback: deletes the rows that reserved names, and restores aliases that were used as such. */
async function release(tx: Db, workflowId: number): Promise<void> {
  const held = and(eq(websites.workflowId, workflowId), eq(websites.kind, 'alias'))
  await tx
    .update(websites)
    .set({ status: 'deleted', deletedAt: sql`now()`, purgedAt: sql`now()`, ...nextVersion })
    .where(and(held, eq(websites.status, 'creating')))
  await tx
    .update(websites)
    .set({ status: sql`coalesce(${websites.statusBefore}, 'active')`, ...nextVersion })
    .where(and(held, inArray(websites.status, ['migrating'])))
}

/** Declares the workflows of this file, for domain.ts. */
export function nameWorkflows(): void {
  describe('website.alias-mode', { title: 'Change alias', doing: 'changing the mode of an alias' })
  onEnd('website.alias-mode', async (tx, { id, subjectId }, outcome) => {
    if (outcome === 'done')
      await tx.execute(sql`update websites set version = version + 1, updated_at = now(),
        mode = case when exists (select from actions where workflow_id = ${id} and name = 'website.redirect-probe')
          then 'redirect' else 'serve' end
      where website_id = ${subjectId}`)
    await changed(tx, 'websites', subjectId)
  })

  describe('website.rename', { title: 'Rename website', doing: 'being renamed' })
  opensAgain('website.rename')
  onEnd('website.rename', async (tx, { id }, outcome) => {
    if (outcome === 'done') await settle(tx, id)
    if (outcome === 'rolled-back') await release(tx, id)
    await changed(tx, 'websites')
  })
}
