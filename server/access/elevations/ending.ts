import { WAITS_HOURS } from '@innkeeper/contract/access/elevations'
import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { writeLog } from '../../kit/audit/audit.ts'
import { rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import { changed } from '../../kit/live/live.ts'

const SAID = {
  time: 'Its time is over.',
  rights: 'Your account or the role was changed.',
  unanswered: `Nobody answered it within ${WAITS_HOURS} hours.`,
} as const

interface Over {
  id: number
  userId: number
  name: string
  ending: keyof typeof SAID
  wasHeld: boolean
  isGone: boolean
}

/**
 * Logs what ended by itself and tells the person. The permissions ended already: every read of them compares the time, so
 * that nobody depends on this.
 */
export const closeElevations = (app: App): Promise<void> =>
  app.db.transaction(async (db) => {
    const over = await rows<Over>(
      db,
      sql`with over as (select elevation_id from elevations
          where told_at is null and (ended_at is not null or ends_at <= now()
            or starts_at is null and created_at <= now() - make_interval(hours => ${WAITS_HOURS}))
          order by elevation_id limit 200 for update skip locked)
        update elevations x set told_at = now(), ended_at = coalesce(x.ended_at, least(x.ends_at, now())), version = x.version + 1,
          ending = coalesce(x.ending, case when x.starts_at is null then 'unanswered' else 'time' end), updated_at = now()
        from over, users u where x.elevation_id = over.elevation_id and u.user_id = x.user_id
        returning x.elevation_id as id, x.user_id as "userId", ${personName('u')} as name, x.ending,
          x.starts_at is not null as "wasHeld", u.deleted_at is not null as "isGone"`,
    )
    for (const { id, userId, name, ending, wasHeld, isGone } of over) {
      await writeLog(
        db,
        {
          ...{ staffId: null, staffName: 'Innkeeper', service: 'users', action: 'end', resource: 'elevation' },
          ...{ resourceId: String(id), subject: name, workflowId: null, ip: null, requestId: null },
        },
        'success',
        { ending },
      )
      if (!isGone)
        await app.notify(db, {
          to: [userId],
          reason: 'rights',
          title: wasHeld ? 'Your elevation ended' : 'Your request for permissions lapsed',
          body: SAID[ending],
          link: '/elevations',
        })
      await changed(db, 'elevations', id)
    }
    await app.sessions.touch(db, [...new Set(over.filter(({ wasHeld }) => wasHeld).map(({ userId }) => userId))])
  })
