import { sql } from 'drizzle-orm'
import type { Appointment } from '../../../kit/app/appointment.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { ledBy } from '../feedback/readers.ts'
import { heldFrom, holdsOn } from '../memberships/current.ts'

export type Arranger = Pick<Context, 'app' | 'db' | 'staff' | 'now'>

interface Pair {
  managerId: number
  personId: number
}
/** A person, and somebody who manages them today or from a later day. */
export interface Managed extends Pair {
  isToday: boolean
  /** Through the person's main team. */
  isMain: boolean
  /** The last day; 9999-12-31 without an end. */
  until: string
}
export interface Managing {
  list: readonly Managed[]
  of(pair: Pair): Managed | undefined
}

/** Who manages whom, in all teams. */
export async function readManaging({ db, now }: Pick<Arranger, 'db' | 'now'>): Promise<Managing> {
  const day = sql`${await todayIn(db, now)}::date`
  const list = await rows<Managed>(
    db,
    sql`with recursive ${ledBy(sql`t.manager_id is not null`)}
      select l.reader as "managerId", m.user_id as "personId", bool_or(${holdsOn('m', day)}) as "isToday",
        bool_or(not m.is_additional) as "isMain", max(coalesce(m.ends_on, '9999-12-31'))::text as until
      from led l join dossier_memberships m on m.team_id = l.id
      where ${heldFrom('m', day)} and m.user_id <> l.reader and (l.via is null or m.user_id = l.via)
      group by l.reader, m.user_id order by m.user_id, l.reader`,
  )
  const keyOf = ({ managerId, personId }: Pair) => `${managerId} ${personId}`
  const byPair = new Map(list.map((one) => [keyOf(one), one]))
  return { list, of: (pair) => byPair.get(keyOf(pair)) }
}

export async function managedBy(db: Db, userIds: readonly number[], now: Date): Promise<Appointment[]> {
  const { list } = await readManaging({ db, now })
  return userIds.map((userId) => ({
    ...{ userId, does: 'manages' },
    over: list.filter(({ managerId }) => managerId === userId).map(({ personId }) => personId),
  }))
}

export async function managersOf(db: Db, userId: number, now: Date): Promise<number[]> {
  const { list } = await readManaging({ db, now })
  return list.filter(({ personId, isToday }) => personId === userId && isToday).map(({ managerId }) => managerId)
}
