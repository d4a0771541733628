import type { profiles as contract, Profile } from '@innkeeper/contract/access/profiles'
import { holds } from '@innkeeper/contract/kit/access'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { foresee } from '../../kit/db/foresee.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, denied, notFound, refused } from '../../kit/http/errors.ts'
import { changed, push } from '../../kit/live/live.ts'
import { keepBlobs, leaveBlobs } from '../../kit/storage/blobs.ts'
import { mayActOn } from '../rights/reach.ts'
import { alive, fullName, searched } from '../users/read.ts'
import { users } from '../users/tables.ts'
import { profiles as table } from './tables.ts'
import { readProfile, readProfiles } from './view.ts'

const sorts = {
  name: { column: fullName, type: 'text', direction: 'ASC' },
  username: { column: sql`lower(${users.username})`, type: 'text', direction: 'ASC' },
} as const

export const profilesHandlers: Handlers<typeof contract> = {
  byUsers: async ({ ids }, { db }) => ({ items: await readProfiles(db, ids) }),

  async create({ userId, ...values }, { app, db, staff, now, audit }) {
    await readProfile(db, staff, userId)
    await mayActOn(db, staff, { ids: [userId] })
    let isNew = false
    const save = async () => {
      const row = { ...values, id: userId, createdBy: staff.id }
      isNew = (await db.insert(table).values(row).onConflictDoNothing().returning({ id: table.id })).length > 0
    }
    const { hiredAt, lastDay } = values
    checkDays(hiredAt ?? null, lastDay ?? null)
    const days = { ...(hiredAt && { firstDay: { wasKnown: false } }), lastDay: lastDay ?? undefined }
    if (hiredAt || lastDay) await app.changeEmployment(db, { ...days, userId, by: staff, now }, save)
    else await save()
    const profile = await readProfile(db, staff, userId)
    if (!isNew) throw conflict('This person already has a profile: change that profile', { current: profile })
    audit.of('profile', userId)
    audit.after(profile)
    await changed(db, 'profiles', userId)
    return profile
  },

  ofUser: ({ id }, { db, staff }) => readProfile(db, staff, id),
  base: async ({ id }, { db, staff }) => (await readProfile(db, staff, id)).personalDetails,

  async update(
    { id, version, personalDetails = {}, hiredAt, lastDay, opensShifts, timeZone, image, removeImage },
    { app, db, staff, now, audit },
  ) {
    await lock(db, id)
    const before = await readProfile(db, staff, id)
    if (version !== undefined && version !== before.version)
      throw conflict('Somebody else changed this profile meanwhile', { current: before })
    await mayActOn(db, staff, { ids: [id] })
    const { firstName = before.personalDetails.firstName, lastName = before.personalDetails.lastName } = personalDetails
    const renamed = firstName !== before.personalDetails.firstName || lastName !== before.personalDetails.lastName
    // own name, first and last day require a permission
    const days = employmentOf(before, { hiredAt, lastDay })
    const isOtherDay = days !== undefined
    const official = renamed || isOtherDay
    if (official && !holds(staff, 'employee:profile:update')) throw denied(['employee:profile:update'])

    const { phone, birthDate } = personalDetails
    const save = () => keep(db, id, { phone, birthDate, hiredAt, lastDay, timeZone })
    if (days) await app.changeEmployment(db, { ...days, userId: id, opensShifts, by: staff, now }, save)
    else await save()
    const picture = image ? image.key : removeImage ? null : undefined
    if (picture !== undefined) await changePicture(db, before.personalDetails.image, picture)
    if (renamed || picture !== undefined)
      await db
        .update(users)
        .set({ firstName, lastName, profileImage: picture, version: sql`${users.version} + 1`, updatedAt: sql`now()` })
        .where(eq(users.id, id))
    if (renamed) await app.sessions.touch(db, id)
    const profile = await readProfile(db, staff, id)
    audit.of('profile', id)
    audit.before(before)
    audit.after(profile)
    await changed(db, 'profiles', id)
    return profile
  },

  async previewEmployment({ id, ...days }, { app, db, staff, now }) {
    const before = await readProfile(db, staff, id)
    const change = employmentOf(before, days)
    if (!change) return { leaves: 0, shifts: 0 }
    return foresee(db, (tx) =>
      app.changeEmployment(tx, { ...change, userId: id, by: staff, now }, () => keep(tx, id, days)),
    )
  },

  async config(
    { id, enabledDarkTheme, showReviewedEscalations, quietHours, deliveries, locale },
    { db, staff, audit },
  ) {
    if (id !== staff.id) throw notFound('profile', id)
    const before = await readProfile(db, staff, id)
    if (enabledDarkTheme !== undefined || showReviewedEscalations !== undefined)
      await db.update(users).set({ darkTheme: enabledDarkTheme, showReviewedEscalations }).where(eq(users.id, id))
    const quiet = quietHours !== undefined && { quietFrom: quietHours?.from ?? null, quietTo: quietHours?.to ?? null }
    const settings = { ...quiet, ...locale, ...(deliveries && { deliveries }) }
    if (Object.values(settings).some((value) => value !== undefined)) await keepSettings(db, id, settings)
    const profile = await readProfile(db, staff, id)
    audit.of('profile', id)
    audit.before(before.profileConfig)
    audit.after(profile.profileConfig)
    // updates the other browsers of this person
    await push(db, 'changed', { domain: 'profiles', id }, [id])
    return profile
  },

  async list(input, { db }) {
    const where: SQL[] = [alive]
    if (input.departmentId) where.push(eq(users.departmentId, input.departmentId))
    if (input.search) where.push(contains(searched, input.search))
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${users}`,
      where,
      key: users.id,
      order: sorts[input.sort ?? 'name'],
    })
    return { items: await readProfiles(db, ids), ...page }
  },
}

type Days = { hiredAt?: string | null | undefined; lastDay?: string | null | undefined }

/** Which of the first and the last day at work changes; undefined if none does. 422 if the last is before the first. */
function employmentOf(before: Profile, { hiredAt, lastDay }: Days) {
  const isOtherFirst = hiredAt !== undefined && hiredAt !== before.hiredAt
  const isOtherLast = lastDay !== undefined && lastDay !== before.lastDay
  if (!isOtherFirst && !isOtherLast) return undefined
  checkDays(hiredAt === undefined ? before.hiredAt : hiredAt, lastDay === undefined ? before.lastDay : lastDay)
  return {
    ...(isOtherFirst && { firstDay: { wasKnown: before.hiredAt !== null } }),
    lastDay: isOtherLast ? lastDay : undefined,
  }
}

function checkDays(first: string | null, last: string | null): void {
  const text = 'The last day is before the first'
  if (first && last && last < first) throw refused(text, { lastDay: text })
}

/** Stores a picture as an open blob, because pages load it by its address. */
async function changePicture(db: Db, before: string | null, after: string | null): Promise<void> {
  if (before) await leaveBlobs(db, [before])
  if (after) await keepBlobs(db, [after], { open: true })
}

type Values = Partial<typeof table.$inferInsert>

/** Locks the user, so that the second of two concurrent saves is refused for its old version. */
const lock = (db: Db, id: number) =>
  db.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')

async function keep(db: Db, id: number, values: Values): Promise<void> {
  await db
    .insert(table)
    .values({ ...values, id })
    .onConflictDoUpdate({
      target: table.id,
      set: { ...values, version: sql`${table.version} + 1`, updatedAt: sql`now()` },
    })
}

/** Stores settings without a version: the last write wins, and the version of the profile does not change. */
async function keepSettings(db: Db, id: number, values: Values): Promise<void> {
  await db
    .insert(table)
    .values({ ...values, id, version: 0 })
    .onConflictDoUpdate({ target: table.id, set: values })
}
