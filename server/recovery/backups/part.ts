import { inArray, sql } from 'drizzle-orm'
import { comesAlong, type Part } from '../../hosting/websites/parts/parts.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { backupTurns } from './tables.ts'

/**
 * Backups of a website stay when it is renamed, moved, suspended or deleted: its snapshots are found by its id. A
 * schedule pauses while its website is in the trash, and continues when the website is restored. After a move, new
 * backups go to the repository of the new machine; older backups stay in the repository of the old machine.
 */
export const backupPart: Part = {
  kind: 'backup',
  title: 'Backups',
  order: 85,
  along: {
    ...comesAlong,
    newWebsite: 'Backup schedules stay with the former website',
    copy: 'A copy has no backup schedule of its own',
  },
  async list(db, websiteIds) {
    const found = await rows<{ websiteId: number; backups: number; schedules: number; where: string }>(
      db,
      sql`select w.website_id as "websiteId", (select count(*)::int from backups k where k.website_id = w.website_id
            and k.deleted_at is null) as backups,
          (select count(*)::int from backup_schedules c where c.website_id = w.website_id and c.deleted_at is null) as schedules,
          coalesce((select s.name from backups k join backup_repositories r on r.backup_repository_id = k.backup_repository_id
            join backup_servers b on b.backup_server_id = r.backup_server_id join servers s on s.server_id = b.server_id
            where k.website_id = w.website_id and k.deleted_at is null order by k.backup_id desc limit 1), '') as where
        from websites w where w.website_id in ${websiteIds}`,
    )
    return found.flatMap(({ websiteId, backups, schedules, where }) =>
      backups || schedules
        ? [
            {
              ...{ websiteId, type: 'backup', id: websiteId, name: `${backups} backups`, where },
              detail: `${schedules} schedules; they stay`,
            },
          ]
        : [],
    )
  },
  /** A website in the trash is not backed up. Its schedules stay, because the website may be restored. */
  async remove(db, site) {
    await endTurns(db, [site.id])
    return []
  },
  async moveCheck(db, site) {
    const [running] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from backups where website_id = ${site.id} and status in (0, 1) and deleted_at is null`,
    )
    return running?.n
      ? [
          {
            key: 'backup',
            title: 'Backups',
            level: 'warning',
            text: 'A backup of this website is running: it may become partial while the website moves',
          },
        ]
      : []
  },
  /** A turn that became due during the move starts now: the repository of the new machine has no backup yet. */
  moved: (tx) => changed(tx, 'backups'),
}

const endTurns = (db: Db, websiteIds: number[]) =>
  db.delete(backupTurns).where(inArray(backupTurns.websiteId, websiteIds))
