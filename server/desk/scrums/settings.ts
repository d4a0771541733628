import type { scrums as contract } from '@innkeeper/contract/desk/scrums/calls'
import type { ScrumSettings } from '@innkeeper/contract/desk/scrums/shapes'
import type { Db } from '../../kit/db/db.ts'
import { given } from '../../kit/db/given.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { scrumSettings } from './tables.ts'

const first: ScrumSettings = { version: 1, scale: 5, periodDays: 14, commentBelow: 60, remindDays: 3 }

export async function readSettings(db: Db, lock = false): Promise<ScrumSettings> {
  const query = db.select().from(scrumSettings)
  const [found] = await (lock ? query.for('update') : query)
  if (!found) return first
  const { only: _, ...settings } = found
  return settings
}

export const settingsHandlers: Pick<Handlers<typeof contract>, 'settings' | 'updateSettings'> = {
  settings: (_, { db }) => readSettings(db),

  async updateSettings({ version, ...fields }, { db, audit }) {
    await db.insert(scrumSettings).values(first).onConflictDoNothing()
    const before = await readSettings(db, true)
    audit.before(before)
    checkVersion(before, version, 'The settings')
    const sent = given(fields)
    const after: ScrumSettings = { ...before, ...sent, version: before.version + 1 }
    await db.update(scrumSettings).set(after)
    audit.after(after)
    await changed(db, 'scrums')
    return after
  },
}
