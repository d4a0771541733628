import { ReplacementResult } from '@innkeeper/contract/hosting/databases/replacements'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { describe, type Outcome, onEndTouching } from '../../../kit/work/workflow.ts'
import { opensAgain } from '../../websites/closed.ts'
import { databaseReplacements } from '../tables.ts'

type Status = (typeof databaseReplacements.$inferSelect)['status']
const made: Record<Outcome, Status> = {
  running: 'replacing',
  failed: 'failed',
  done: 'replaced',
  'rolled-back': 'undone',
}
const back: Record<Outcome, Status> = {
  ...{ running: 'reverting', failed: 'reverting', done: 'reverted', 'rolled-back': 'replaced' },
}

async function withResults(tx: Db, workflowId: number, of: (typeof databaseReplacements.$inferSelect)['databases']) {
  const answered = await rows<{ id: number; output: unknown }>(
    tx,
    sql`select resource_id as id, output from actions where workflow_id = ${workflowId} and name = 'database.replace'`,
  )
  return of.map((one) => {
    const output = answered.find(({ id }) => id === one.id)?.output
    return { ...one, result: ReplacementResult.safeParse(output).data ?? null }
  })
}

/** Declares the workflows of this file, for domain.ts. */
export function replacementWorkflows(): void {
  describe('database.replace', { title: 'Search and replace', doing: 'getting other texts in its databases' })
  describe('database.put-back', { title: 'Put values back', doing: 'getting former texts back in its databases' })
  opensAgain('database.replace')
  opensAgain('database.put-back')
  /** For every kind of workflow, because a rename or a restore may replace texts too. */
  onEndTouching(['database-values'], async (tx, { id: workflowId, kind }, outcome) => {
    const [row] = await tx.select().from(databaseReplacements).where(eq(databaseReplacements.workflowId, workflowId))
    if (!row) return
    const isBack = kind === 'database.put-back'
    await tx
      .update(databaseReplacements)
      .set({
        status: (isBack ? back : made)[outcome],
        ...(outcome === 'done' && !isBack && { databases: await withResults(tx, workflowId, row.databases) }),
        ...nextVersion,
      })
      .where(eq(databaseReplacements.id, row.id))
    await changed(tx, 'databases')
  })
}
