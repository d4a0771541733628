import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { fillTables } from '../../test/rows.ts'
import { rows } from '../db/db.ts'
import { retain } from './retention.ts'

it('deletes workflows that ended a year ago, except those that a row of any table refers to', async () => {
  const t = await openTestApp()
  const { app } = t
  try {
    await fillTables(app.db, 3, ['action_logs', 'action_log_seals', 'action_log_cuts', 'encryption_keys', 'secrets'])
    await app.db.execute(
      sql`update workflows set started_at = now() - interval '2 years', ended_at = now() - interval '2 years'`,
    )
    const [free, held] = await rows<{ id: number }>(
      app.db,
      sql`insert into workflows (kind, subject_type, subject_id, subject_name, holder, status, started_at, ended_at)
        select 'x', 'website', 1, 'x', 'x', 'done', now() - interval '2 years', now() - interval '2 years' from generate_series(1, 2)
        returning workflow_id as id`,
    )
    await app.db.execute(sql`update backups set workflow_id = ${held?.id}
      where backup_id = (select min(backup_id) from backups)`)
    await retain(app)
    const kept = (await rows<{ id: number }>(app.db, sql`select workflow_id as id from workflows`)).map(({ id }) => id)
    expect(kept).toContain(held?.id)
    expect(kept).not.toContain(free?.id)
  } finally {
    await t.close()
  }
})
