import type { qcSettings as contract, QueueSettings } from '@innkeeper/contract/quality/qc/settings'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { qcQueueSettings } from './tables.ts'

/** The default settings: every chat is queued, tickets only by cron filters. */
const first = (kind: Kind): QueueSettings => ({
  kind,
  version: 1,
  mode: kind === 'chat' ? 'everything' : 'off',
  quota: 10,
  period: 'week',
  minMessages: 2,
  newFactor: 2,
  lowFactor: 1.5,
  lowScore: 70,
  leaseMinutes: 30,
  postponeDays: 7,
  disputeDays: 14,
  minimumN: 5,
  answerDays: 7,
  retentionDays: null,
})

export async function readQueueSettings(db: Db, kind: Kind): Promise<QueueSettings> {
  const [found] = await db.select().from(qcQueueSettings).where(eq(qcQueueSettings.kind, kind))
  return found ?? first(kind)
}

type Calls = 'queue' | 'updateQueue'

export const queueHandlers: Pick<Handlers<typeof contract>, Calls> = {
  queue: ({ kind = 'chat' }, { db }) => readQueueSettings(db, kind),

  async updateQueue({ kind = 'chat', version, ...fields }, { db, audit }) {
    await db.insert(qcQueueSettings).values(first(kind)).onConflictDoNothing()
    await db.select().from(qcQueueSettings).where(eq(qcQueueSettings.kind, kind)).for('update')
    const before = await readQueueSettings(db, kind)
    audit.before(before)
    checkVersion(before, version, `The ${kind} queue`)
    const after = { ...before, ...given(fields), version: before.version + 1 }
    await db.update(qcQueueSettings).set(after).where(eq(qcQueueSettings.kind, kind))
    audit.after(after)
    await changed(db, 'qc')
    return after
  },
}
