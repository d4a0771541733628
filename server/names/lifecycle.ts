import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db/db.ts'
import { risen } from '../kit/http/version.ts'
import { changed } from '../kit/live/live.ts'
import { describe, onEnd } from '../kit/work/workflow.ts'
import { websites } from '../websites/tables.ts'

describe('website.alias-mode', { title: 'Change alias', doing: 'being answered in another way' })
onEnd('website.alias-mode', async (tx, { id, subjectId }, outcome) => {
  if (outcome === 'done')
    await tx.execute(sql`update websites set version = version + 1, updated_at = now(),
        mode = case when exists (select from actions where workflow_id = ${id} and name = 'website.redirect-probe')
          then 'redirect' else 'serve' end
      where website_id = ${subjectId}`)
  await changed(tx, 'websites', subjectId)
})

describe('website.rename', { title: 'Rename website', doing: 'being renamed' })
onEnd('website.rename', async (tx, { id }, outcome) => {
  if (outcome === 'done') await settle(tx, id)
  if (outcome === 'rolled-back') await release(tx, id)
  await changed(tx, 'websites')
})

interface Moved {
  id: number
  from: string
  to: string
  root: string
  keepDays: number
}

/** The machines have it: each website takes its new name, and the row that held that becomes the old name's. */
async function settle(tx: Db, workflowId: number): Promise<void> {
  for (const move of await movesOf(tx, workflowId)) {
    const { id, from, to, root } = move
    await aliasesFollow(tx, workflowId, move)
    // one name is nobody's for a moment: no two rows may have the same
    const [held] = await tx
      .update(websites)
      .set({ domain: sql`'~' || ${websites.id}` })
      .where(and(eq(websites.domain, to), eq(websites.workflowId, workflowId), eq(websites.kind, 'alias')))
      .returning({ id: websites.id })
    await tx
      .update(websites)
      .set({ domain: to, documentRoot: root, ...risen })
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

/** Answers 301 for its days and then ends; with none of them it ends now. */
const becomeFormer = (tx: Db, id: number, domain: string, keepDays: number) =>
  tx
    .update(websites)
    .set({
      domain,
      mode: 'redirect',
      status: 'active',
      statusBefore: null,
      ...risen,
      ...(keepDays > 0
        ? { until: sql`now() + make_interval(days => ${keepDays}::int)` }
        : { status: 'deleted' as const, deletedAt: sql`now()`, purgedAt: sql`now()` }),
    })
    .where(eq(websites.id, id))

/** Aliases under the old name that were renamed too: the new one takes the place of the old one, which is former now. */
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
      .set({ status: 'active', ...risen })
      .where(eq(websites.id, freshId))
  }
}

/** Sub-websites whose root moved with the folder that it is in. */
const rootsFollow = (tx: Db, workflowId: number) =>
  tx.execute(sql`update websites w set document_root = a.input ->> 'root', version = w.version + 1, updated_at = now()
    from actions a where a.workflow_id = ${workflowId} and a.name in ('nginx-site.ensure', 'apache-site.ensure') and a.input ? 'beforeRoot'
      and w.website_id = a.resource_id`)

/** Nothing was renamed in the end: the names are free again, or what they were. */
async function release(tx: Db, workflowId: number): Promise<void> {
  const held = and(eq(websites.workflowId, workflowId), eq(websites.kind, 'alias'))
  await tx
    .update(websites)
    .set({ status: 'deleted', deletedAt: sql`now()`, purgedAt: sql`now()`, ...risen })
    .where(and(held, eq(websites.status, 'creating')))
  await tx
    .update(websites)
    .set({ status: sql`coalesce(${websites.statusBefore}, 'active')`, ...risen })
    .where(and(held, inArray(websites.status, ['migrating'])))
}
