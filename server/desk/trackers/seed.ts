import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { isNull, sql } from 'drizzle-orm'
import { users } from '../../access/users/tables.ts'
import type { Db } from '../../kit/db/db.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import { record } from './items/history.ts'
import { insertItem } from './items/insert.ts'
import { trackerItems } from './items/tables.ts'
import { indexWords } from './items/words.ts'
import { type Found, settingsOf } from './settings/find.ts'
import { trackerSettings } from './settings/tables.ts'
import { trackerTalk } from './talk/tables.ts'

const bugTitles = [
  ...[
    'Staging copy keeps the maintenance page',
    'Certificate order hangs after a CAA change',
    'Mail quota shows 0 of 0',
  ],
  ...[
    'List of DNS zones forgets its sort order',
    'Rename leaves the old name in the search',
    'PHP 8.4 pool starts twice',
  ],
  ...[
    'Export of the action log stops at midnight',
    'Redis limit is read in MiB and shown in MB',
    'Import of chats doubles a note',
  ],
  ...[
    'Shift planner shows a leave one day late',
    'A group moves without its second website',
    'Login link opens the wrong tab',
  ],
  ...[
    'Bans of IPv6 networks have no reason',
    'Website filter “failed” also lists stopped ones',
    'Wrong hint below the port field',
  ],
  ...['Backup size is negative after a prune', 'Two people see each other’s draft review', 'Clock of db-3 drifts'],
]
const featureTitles = [
  ...['Dark colours for the shift planner', 'Search across all zones at once', 'Copy a role', 'Weekly summary by mail'],
  ...[
    'Preview of a zone file before the import',
    'Pin a website to the home screen',
    'Undo for bulk tags',
    'Keyboard move in the roster',
  ],
  ...['Attach a log to a comment', 'Calendar feed per team', 'Show who has a page open', 'Templates for escalations'],
]
const ticketTitles = [
  ...['Replace the disk in rack 4', 'Order badges for two new colleagues', 'Renew the support contract of the switch'],
  ...[
    'Write the runbook for a full disk',
    'Update the phone list',
    'Review of access for leavers',
    'Clean the printer room',
  ],
  ...['Rotate the key of the log shipper', 'Check the generator', 'Prepare the desk for the night shift'],
]
const remarks = [
  ...['Seen on web-2 as well.', 'I can reproduce this with a fresh account.', 'The log says nothing at that time.'],
  ...['A fix is in review.', 'Asked the customer for a picture.', 'Happens only in Firefox.', 'Thank you, works now.'],
]
const notes = ['The customer is upset: please answer today.', 'Keep this inside: the cause is our own script.']
const places = {
  component: ['Websites', 'DNS', 'Certificates', 'Mail', 'Calendar', 'Quality', 'Agent'],
  folder: ['Next release', 'Later', 'Customer reports'],
  department: ['Support', 'Development', 'Infrastructure'],
}
const rooms = ['Office', 'Data centre', 'People']

/** Adds components, folders and departments, and items of every status with comments and notes. */
export async function seedTrackers(db: Db, say: (line: string) => void): Promise<void> {
  const d = dice(70)
  const people = await db.select().from(users).where(isNull(users.deletedAt)).orderBy(users.id).limit(40)
  if (!people.length) return
  for (const [kind, names] of Object.entries(places) as [keyof typeof places, string[]][]) // keys of our own constant
    await db
      .insert(trackerSettings)
      .values(names.map((name, position) => ({ tracker: 'bug' as const, kind, name, position })))
  await db
    .insert(trackerSettings)
    .values(rooms.map((name, position) => ({ tracker: 'ticket' as const, kind: 'component' as const, name, position })))
  const who = people.map(({ id, firstName, lastName }) => ({ id, name: `${firstName} ${lastName}` }))
  const titles: Record<Tracker, string[]> = { bug: bugTitles, feature: featureTitles, ticket: ticketTitles }
  for (const [tracker, ours] of Object.entries(titles) as [Tracker, string[]][]) // as above
    for (const [nth, title] of ours.entries()) {
      const id = await addItem(db, d, who, tracker, title)
      await date(db, d, id, ours.length - nth)
    }
  say(`${bugTitles.length} bugs, ${featureTitles.length} feature requests, ${ticketTitles.length} internal tickets`)
}

async function addItem(
  db: Db,
  d: Dice,
  who: { id: number; name: string }[],
  tracker: Tracker,
  title: string,
): Promise<number> {
  const all = await settingsOf(db, tracker)
  const some = (kind: Found['kind'], share: number): number | undefined => {
    const ofKind = all.filter((one) => one.kind === kind)
    return ofKind.length && d.chance(share) ? d.pick(ofKind).id : undefined
  }
  const reporter = d.pick(who)
  const id = await insertItem(db, reporter, tracker, {
    title,
    description: `${title}. ${d.pick(remarks)}`,
    ...(tracker === 'bug' && {
      steps: '1. Open the page\n2. Wait a minute\n3. Reload',
      expected: 'The page is as before.',
    }),
    statusId: some('status', 0.8),
    priorityId: some('priority', 0.9),
    componentId: some('component', 0.8),
    ...(tracker !== 'ticket' && { folderId: some('folder', 0.5), departmentId: some('department', 0.6) }),
    dueOn: d.chance(0.4) ? `2026-1${1 + d.below(2)}-${10 + d.below(18)}` : null,
    estimateMinutes: d.chance(0.4) ? 30 * (1 + d.below(16)) : null,
  })
  const talk = Array.from({ length: d.below(4) }, () => {
    const isNote = d.chance(0.25)
    return {
      itemId: id,
      type: isNote ? ('note' as const) : ('comment' as const),
      body: d.pick(isNote ? notes : remarks),
      createdBy: d.pick(who).id,
    }
  })
  if (talk.length) {
    await db.insert(trackerTalk).values(talk)
    await indexWords(db, [id])
  }
  if (d.chance(0.6)) await assign(db, id, d.pick(who), reporter.id)
  const votes = tracker === 'feature' ? who.filter(() => d.chance(0.2)) : []
  await db.execute(sql`insert into tracker_votes (item_id, user_id)
    select ${id}, v from unnest(${sql.param(votes.map((one) => one.id))}::int[]) as v`)
  await db.execute(
    sql`update tracker_items set votes = ${votes.length}, comments = ${talk.length} where tracker_item_id = ${id}`,
  )
  return id
}

/** Dates an item, the oldest first; its comments and its history follow in order. */
async function date(db: Db, d: Dice, id: number, age: number): Promise<void> {
  const hours = age * 31 + d.below(24)
  const later = sql`now() - make_interval(hours => ${hours}::int)`
  await db.execute(
    sql`update tracker_talk t set created_at = ${later} + n.nth * interval '5 hours', updated_at = ${later} + n.nth * interval '5 hours'
      from (select tracker_talk_id as id, row_number() over (order by tracker_talk_id) as nth from tracker_talk where item_id = ${id}) n
      where n.id = t.tracker_talk_id`,
  )
  await db.execute(
    sql`update tracker_items i set created_at = ${later}, updated_at = greatest(${later}, (select max(t.created_at) from tracker_talk t
      where t.item_id = i.tracker_item_id)) where tracker_item_id = ${id}`,
  )
  await db.execute(sql`update tracker_history set at = ${later} where item_id = ${id}`)
}

async function assign(db: Db, id: number, to: { id: number; name: string }, by: number): Promise<void> {
  await db.update(trackerItems).set({ assigneeId: to.id }).where(sql`${trackerItems.id} = ${id}`)
  await record(db, id, by, [{ field: 'assignee', before: null, after: to.name }])
}
