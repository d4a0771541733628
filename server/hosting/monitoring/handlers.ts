import type { monitoring as contract } from '@innkeeper/contract/hosting/monitoring'
import { eq, sql } from 'drizzle-orm'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { monitors } from '../websites/tables.ts'
import { readWebsite } from '../websites/view.ts'
import { readMonitor } from './view.ts'

export const monitoringHandlers: Handlers<typeof contract> = {
  async one({ id }, { db }) {
    await readWebsite(db, id)
    return readMonitor(db, id)
  },

  /** A change resets the failures, because they concern another request. */
  async update({ id, version, ...fields }, { db, staff, audit }) {
    const { domain, kind } = await readWebsite(db, id)
    if (kind === 'alias') throw refused(`${domain} is a name of another website, which is watched`)
    await db.insert(monitors).values({ websiteId: id, version: 0, createdBy: staff.id }).onConflictDoNothing()
    await db.select({ id: monitors.websiteId }).from(monitors).where(eq(monitors.websiteId, id)).for('update')
    const before = await readMonitor(db, id)
    if (version !== undefined && version !== before.version)
      throw conflict(`Somebody else changed how ${domain} is watched`, { current: before })
    await db
      .update(monitors)
      .set({
        ...fields,
        failures: 0,
        nextAt: sql`case when ${monitors.nextAt} is null then null else now() end`,
        version: sql`version + 1`,
        updatedAt: sql`now()`,
      })
      .where(eq(monitors.websiteId, id))
    const monitor = await readMonitor(db, id)
    const settings = ({ enabled, path, word }: typeof monitor) => ({ enabled, path, word })
    audit.of('website', id)
    audit.before(settings(before))
    audit.after(settings(monitor))
    await changed(db, 'websites', id)
    return monitor
  },
}
