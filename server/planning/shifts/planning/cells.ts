import { and, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { readPlaces } from '../../calendar/places.ts'
import { byId, readPeople } from '../roster/people.ts'
import { readSettings } from '../settings.ts'
import { shiftTypes } from '../tables.ts'
import { type Built, buildShift, type OwnTimes, type Type } from './build.ts'

export interface Cell extends OwnTimes {
  userId: number
  /** Where the work is done; absent: in the person's department. */
  departmentId?: number | undefined
  date: string
  shiftTypeId: number
}

/** Shift types that are not deleted, by id. */
export async function readTypes(db: Db, ids: readonly number[]): Promise<Map<number, Type>> {
  const wanted = [...new Set(ids)]
  if (!wanted.length) return new Map()
  const found = await db
    .select()
    .from(shiftTypes)
    .where(and(inArray(shiftTypes.id, wanted), isNull(shiftTypes.deletedAt)))
  return new Map(found.map((type) => [type.id, type]))
}

/** Returns a type for new shifts; 422 with the field for an inactive type, 404 for a deleted one. */
export async function usableType(db: Db, id: number): Promise<Type> {
  const type = (await readTypes(db, [id])).get(id)
  if (!type) throw notFound('shift type', id)
  if (!type.isActive) throw refused(`${type.name} is off`, { shiftTypeId: `${type.name} is off` })
  return type
}

/**
 * Builds the shifts of cells. 404 for a missing person or type, 422 for an inactive type or a break that is too long.
 */
export async function buildCells(db: Db, cells: readonly Cell[]): Promise<Built[]> {
  const types = await readTypes(
    db,
    cells.map(({ shiftTypeId }) => shiftTypeId),
  )
  const people = byId(await readPeople(db, { ids: cells.map(({ userId }) => userId) }))
  const settings = await readSettings(db)
  const placeOf = await readPlaces(db)
  return cells.map(({ userId, date, shiftTypeId, departmentId, ...own }) => {
    const type = types.get(shiftTypeId)
    const person = people.get(userId)
    if (!type) throw notFound('shift type', shiftTypeId)
    if (!type.isActive) throw refused(`${type.name} is off`)
    if (!person) throw notFound('user', userId)
    const who =
      departmentId === undefined ? person : { ...person, departmentId, timeZone: placeOf(departmentId).timeZone }
    return buildShift(type, date, who, settings, own)
  })
}
