import { sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { endWeakEntriesOf } from '../../../access/rights/letIn.ts'
import { matesNow, mayManage, mayMeet, mayReview, reviewedNow } from '../feedback/reach.ts'
import { arranging } from '../names.ts'
import { type Arranger, type Managed, type Managing, readManaging } from './managing.ts'

interface Change<T> {
  done: T
  before: Managing
  after: Managing
}

/**
 * Runs a change of teams or memberships, one at a time. Refuses the change if the caller would become the manager of
 * people. Limits what new managers read, and notifies managers and people.
 */
export async function arranged<T>(caller: Arranger, change: () => Promise<T>): Promise<Change<T>> {
  await arranging(caller.db)
  const before = await readManaging(caller)
  const mates = await matesNow(caller)
  const reviewed = await reviewedNow(caller)
  const done = await change()
  const after = await readManaging(caller)
  await mayManage(caller, before, after)
  await mayMeet(caller, mates)
  await mayReview(caller, reviewed)
  const fresh = after.list.filter((one) => !before.of(one))
  await limitReading(caller, before, fresh)
  await endWeakEntriesOf(
    caller,
    fresh.map(({ managerId }) => managerId),
  )
  const longer = (one: Managed, than: Managing) => one.until > (than.of(one)?.until ?? '')
  await notifyOfManagers(caller, {
    gained: after.list.filter((one) => longer(one, before)),
    lost: before.list.filter((one) => longer(one, after)),
  })
  return { done, before, after }
}

const idsOf = (pairs: readonly Managed[], key: 'managerId' | 'personId') =>
  sql`${sql.param(pairs.map((one) => one[key]))}::int[]`

/**
 * A new manager reads entries published from now on. Whoever may read earlier entries opens as much by appointing: an
 * administrator all of them, the present manager what they read themselves.
 */
async function limitReading({ db, staff }: Arranger, before: Managing, fresh: readonly Managed[]): Promise<void> {
  if (!fresh.length) return
  const pairs = sql`unnest(${idsOf(fresh, 'managerId')}, ${idsOf(fresh, 'personId')}) as p(manager_id, person_id)`
  await db.execute(sql`delete from dossier_readings r using ${pairs}
    where r.manager_id = p.manager_id and r.person_id = p.person_id`)
  if (staff.isAdmin) return
  const present = idsOf(
    before.list.filter((one) => one.managerId === staff.id && one.isToday),
    'personId',
  )
  await db.execute(sql`insert into dossier_readings (manager_id, person_id, since)
    select p.manager_id, p.person_id, coalesce(own.since, now()) from ${pairs}
    left join dossier_readings own on own.manager_id = ${staff.id} and own.person_id = p.person_id
      and p.person_id = any(${present})
    where own.since is not null or p.person_id <> all(${present})`)
}

/** The notices name nobody but the caller: they remain when somebody may no longer read about the person. */
async function notifyOfManagers(
  { db, staff }: Arranger,
  { gained, lost }: { gained: readonly Managed[]; lost: readonly Managed[] },
): Promise<void> {
  const tell = (to: readonly number[], title: string, body: string, link: string) =>
    notify(db, { to: to.filter((id) => id !== staff.id), reason: 'rights', title, body, link })
  const notifyManagers = async (pairs: readonly Managed[], title: string, body: (people: string) => string) => {
    const counts = [...Map.groupBy(pairs, ({ managerId }) => managerId)].map(([id, { length }]) => ({ id, length }))
    for (const [length, managers] of Map.groupBy(counts, (one) => one.length))
      await tell(
        managers.map(({ id }) => id),
        title,
        body(length === 1 ? 'one person' : `${length} people`),
        '/dossiers',
      )
  }
  await notifyManagers(gained, 'You manage more people', (people) => `${staff.name} made you the manager of ${people}.`)
  await notifyManagers(lost, 'You manage fewer people', (people) => `${staff.name} ended that you manage ${people}.`)
  const people = new Set([...gained, ...lost].map(({ personId }) => personId))
  await tell([...people], 'Your manager changes', `${staff.name} changed the teams.`, '/dossiers/mine')
}
