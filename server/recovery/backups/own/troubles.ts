import { runStatus } from '@innkeeper/contract/recovery/backups/values'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Trouble, TroubleSource } from '../../../kit/watch/trouble.ts'

const link = '/backups'

/** The backup of Innkeeper itself. Of an old one alerts.ts notifies, too. */
export const ownBackupTroubles: readonly TroubleSource[] = [
  {
    prefix: 'own backup old',
    isTold: true,
    async find({ db }) {
      const open = await rows(db, sql`select from backup_alerts where kind = 'own' and ended_at is null`)
      const detail = 'The newest proven backup is older than its plan says.'
      return open.map((): Trouble => {
        return { key: 'own backup old', title: 'No proven backup of Innkeeper itself', detail, level: 'error', link }
      })
    },
    isWatched: async ({ db }) =>
      (await rows(db, sql`select 1 from own_backup_plans where deleted_at is null and enabled`)).length > 0,
  },
  {
    prefix: 'own backup failed',
    async find({ db }) {
      const [last] = await rows<{ status: number; error: string | null }>(
        db,
        sql`select status, error from own_backups where status not in (0, 1) and deleted_at is null
          order by started_at desc, own_backup_id desc limit 1`,
      )
      if (!last || last.status === runStatus.completed) return []
      const [title, detail] = ['The last backup of Innkeeper itself failed', last.error ?? '']
      return [{ key: 'own backup failed', title, detail, level: 'error', link }]
    },
  },
]
