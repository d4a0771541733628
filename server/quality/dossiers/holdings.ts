import { type SQL, sql } from 'drizzle-orm'
import type { Holding } from '../../kit/app/holding.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { hint } from './feedback/notify.ts'
import { endMemberships } from './memberships/spans.ts'
import { arranged } from './teams/arranged.ts'
import { passTalks } from './teams/succession.ts'

const count = async (db: Db, statement: ReturnType<typeof sql>): Promise<number> =>
  (await rows<{ n: number }>(db, statement))[0]?.n ?? 0

/** The heir manages the teams. An administrator who deletes the account opens earlier entries to the heir. */
export const ledTeams: Holding = {
  key: 'dossier-teams',
  label: 'Teams managed',
  count: (db, userId) =>
    count(db, sql`select count(*)::int as n from dossier_teams where manager_id = ${userId} and deleted_at is null`),
  async handOver(db, from, to, by) {
    await arranged(by, () =>
      db.execute(sql`update dossier_teams set manager_id = ${to.id}, version = version + 1, updated_at = now()
        where manager_id = ${from} and deleted_at is null`),
    )
    await changed(db, 'dossiers')
  },
}

/** Follow-ups of private entries and drafts are deleted with their author. */
export const followUps: Holding = {
  key: 'dossier-follow-ups',
  label: 'Follow-ups in dossiers',
  count: (db, userId) =>
    count(
      db,
      sql`select count(*)::int as n from dossier_feedbacks where follow_up_by_id = ${userId} and deleted_at is null
        and reminded_at is null and not is_draft and visibility <> 'private'`,
    ),
  async handOver(db, from, to) {
    await db.execute(sql`update dossier_feedbacks set follow_up_by_id = ${to.id}, version = version + 1, updated_at = now()
      where follow_up_by_id = ${from} and deleted_at is null and reminded_at is null and not is_draft and visibility <> 'private'`)
  },
}

/**
 * Open talks: the heir leads talks in preparation. Released talks are closed, because their answers were meant for the
 * departing person only.
 */
export const openTalks: Holding = {
  key: 'dossier-talks',
  label: 'Talks to hold',
  count: (db, userId) =>
    count(db, sql`select count(*)::int as n from dossier_talks where lead_id = ${userId} and state <> 'closed'`),
  async handOver(db, from, to) {
    await passTalks(
      db,
      from,
      sql`select distinct person_id, ${to.id}::int as heir_id from dossier_talks where lead_id = ${from}`,
    )
    // closes released talks, and those that the heir would lead with themselves
    await closeTalks(db, sql`lead_id = ${from}`)
  },
}

async function closeTalks(db: Db, which: SQL): Promise<void> {
  const closed = await rows<{ sides: number[] }>(
    db,
    sql`update dossier_talks set state = 'closed', version = version + 1, updated_at = now()
      where ${which} and state <> 'closed' returning array[person_id, lead_id] as sides`,
  )
  await hint(
    db,
    closed.flatMap(({ sides }) => sides),
  )
}

/** Memberships of a deleted account end today, and talks with the person are closed. */
export async function leaveTeams(db: Db, { id }: { id: number }): Promise<void> {
  await endMemberships(db, id, new Date().toISOString().slice(0, 10))
  await closeTalks(db, sql`person_id = ${id}`)
  await changed(db, 'dossiers', id)
}
