import { CopyReport } from '@innkeeper/contract/hosting/stagings/shapes'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { freeLock } from '../../kit/work/line.ts'
import { describe, type Outcome, onAnyEnd, onEnd, takeLocks } from '../../kit/work/workflow.ts'
import { opensAgain } from '../websites/closed.ts'
import { merges, stagings, type TablesThen } from './tables.ts'

/** Uploads come along; rows cannot. */
const undoLoses = 'What visitors have written to the exchanged tables since the website opened again is lost.'

const become: Record<
  string,
  Partial<Record<Outcome, 'merging' | 'merged' | 'failed' | 'undone' | 'reverting' | 'reverted'>>
> = {
  'website.merge': { running: 'merging', failed: 'failed', done: 'merged', 'rolled-back': 'undone' },
  'website.revert': { running: 'reverting', failed: 'reverting', done: 'reverted', 'rolled-back': 'merged' },
}

const Then = z.object({ tables: z.array(z.object({ name: z.string(), rows: z.int(), sum: z.string().nullable() })) })
const Copied = CopyReport.omit({ changed: true, proposals: true }).extend({ at: z.string() })
const Adapted = CopyReport.pick({ changed: true, proposals: true })

async function keep(
  tx: Db,
  stagingId: number,
  answered: { name: string; of: number; output: unknown }[],
): Promise<void> {
  const of = (name: string) => answered.find((one) => one.name === name)?.output
  // an action that the driver found already done has no output
  const copied = Copied.safeParse(of('document-root.copy')).data
  const adapted = Adapted.safeParse(of('site-config.adapt')).data
  const tables: TablesThen[] = answered.flatMap(({ name, of: databaseId, output }) => {
    const then = name === 'database.inspect' ? Then.safeParse(output).data : undefined
    return then ? { databaseId, tables: then.tables } : []
  })
  const { at, ...files } = copied ?? { at: new Date().toISOString(), files: 0, bytes: 0, leftOut: 0, left: [] }
  await tx
    .update(stagings)
    .set({ copiedAt: at, report: { ...files, ...(adapted ?? { changed: [], proposals: [] }) }, tables })
    .where(eq(stagings.id, stagingId))
}

/** Declares the workflows of this file, for domain.ts. */
export function stagingWorkflows(): void {
  describe('website.merge', { title: 'Merge staging copy', doing: 'being merged with its staging copy', undoLoses })
  describe('website.revert', { title: 'Revert merge', doing: 'going back to before a merge', undoLoses })
  for (const kind of Object.keys(become)) {
    opensAgain(kind)
    onEnd(kind, async (tx, { id, subjectId }, outcome) => {
      const status = become[kind]?.[outcome]
      if (status)
        await tx
          .update(merges)
          .set({ status, ...nextVersion })
          .where(eq(merges.workflowId, id))
      await changed(tx, 'websites', subjectId)
    })
  }

  // the live website is locked while the workflow runs, but not while it is stopped or rolls back
  onAnyEnd(async (tx, { id, kind, subjectId, holder, undo }, outcome) => {
    if (kind !== 'website.stage' || (outcome !== 'failed' && outcome !== 'running')) return
    const [copy] = await tx.select({ liveId: stagings.liveId }).from(stagings).where(eq(stagings.id, subjectId))
    if (!copy) return
    if (outcome === 'failed') await freeLock(tx, id, `website:${copy.liveId}`)
    else if (!undo) await takeLocks(tx, id, holder, [`website:${copy.liveId}`])
  })

  // stores the results of the copy; the hook of websites sets the status
  onAnyEnd(async (tx, { id, kind, subjectId }, outcome) => {
    if (kind !== 'website.stage' || outcome !== 'done') return
    const answered = await rows<{ name: string; of: number; output: unknown }>(
      tx,
      sql`select name, resource_id as of, output from actions where workflow_id = ${id} and status = 'done'
      and name in ('document-root.copy', 'site-config.adapt', 'database.inspect') order by position`,
    )
    await keep(tx, subjectId, answered)
  })
}
