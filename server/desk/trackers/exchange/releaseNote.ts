import { keyOf, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { holds } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { beginOf, endOf } from '../../../planning/calendar/dayBounds.ts'
import { timeZoneOf, todayIn } from '../../../planning/calendar/places.ts'
import { info } from '../info.ts'

/** Maximum number of lines of one kind in a note. */
const MOST = 500

interface Done {
  tracker: Tracker
  number: number
  title: string
  note: string
}

/** Items that were completed in a period, as Markdown. Bugs are included only if the caller may see bugs. */
export async function releaseNote(
  { db, staff, now }: Context,
  { dateFrom, dateTo }: { dateFrom: string; dateTo?: string | undefined },
) {
  const trackers: Tracker[] = holds(staff, info.bug.read) ? ['feature', 'bug'] : ['feature']
  const zone = await timeZoneOf(db)
  const last = dateTo ?? (await todayIn(db, now))
  const found = await rows<Done>(
    db,
    sql`select face as tracker, number, title, note from (
        select i.face, i.number, i.title, i.release_note as note, row_number() over (partition by i.face order by i.completed_at) as nth
        from tracker_items i where i.face = any(${sql.param(trackers)}::text[]) and i.status_group = 'completed'
          and i.deleted_at is null and i.duplicate_of_id is null and i.completed_at >= ${beginOf(dateFrom, zone)}
          and i.completed_at < ${endOf(last, zone)}) as done
      where nth <= ${MOST} order by face desc, nth`,
  )
  const of = (tracker: Tracker) => found.filter((one) => one.tracker === tracker)
  const part = (heading: string, done: readonly Done[]) =>
    done.length ? `## ${heading}\n\n${done.map(lineOf).join('\n')}\n` : ''
  const text = [
    `# Released ${dateFrom} to ${dateTo ?? 'today'}\n`,
    part('New', of('feature')),
    part('Fixed', of('bug')),
  ]
  return {
    text: found.length ? text.filter(Boolean).join('\n') : `${text[0]}\nNothing was completed.\n`,
    features: of('feature').length,
    bugs: of('bug').length,
  }
}

const lineOf = ({ tracker, number, title, note }: Done) =>
  `- **${title.replace(/[\\`*_[\]<>#]/g, '\\$&')}** (${keyOf(tracker, number)})${note ? `: ${note}` : ''}`
