import { sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { TroubleSource } from '../../kit/watch/trouble.ts'
import { openTrouble } from './sending/trouble.ts'

const WAITS_MINUTES = 10

export const smsTroubles: readonly TroubleSource[] = [
  {
    prefix: 'sms gateway',
    isTold: true,
    isWatched: async ({ db }) => (await rows(db, sql`select 1 from sms_settings where gateway <> 'none'`)).length > 0,
    async find({ db }) {
      const trouble = await openTrouble(db)
      const title = 'The SMS gateway refuses Innkeeper'
      return trouble
        ? [{ key: 'sms gateway', title, detail: trouble.reason, level: 'error', link: '/sms/settings' }]
        : []
    },
  },
  {
    prefix: 'sms queue',
    async find({ db }) {
      const [found] = await rows<{ n: number }>(
        db,
        sql`select count(*)::int as n from (select from sms_messages where status = 'queued' and claimed_at is null
          and not_before < now() - make_interval(mins => ${WAITS_MINUTES}) limit 1000) waiting`,
      )
      if (!found?.n) return []
      const [title, detail] = [
        'Text messages do not leave',
        `${found.n} have waited for ${WAITS_MINUTES} minutes or longer.`,
      ]
      return [{ key: 'sms queue', title, detail, level: 'error', link: '/sms/messages' }]
    },
  },
]
