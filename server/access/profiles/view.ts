import type { Profile, ProfileRow } from '@innkeeper/contract/access/profiles'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { departments } from '../departments/tables.ts'
import { users } from '../users/tables.ts'
import { profiles } from './tables.ts'

/** Sum of the versions of both rows, so that a change of either row refuses a save of an older version. */
const versionOf = sql<number>`${users.version} + coalesce(${profiles.version}, 0)`
/** The stored theme as the contract names it. */
export const themeOf = (dark: boolean | null) => (dark === null ? null : dark ? ('dark' as const) : ('light' as const))

const select = byIds((db, isWanted) =>
  db
    .select({
      id: users.id,
      version: versionOf,
      username: users.username,
      email: users.email,
      departmentId: users.departmentId,
      departmentName: departments.name,
      firstName: users.firstName,
      lastName: users.lastName,
      image: users.profileImage,
      darkTheme: users.darkTheme,
      showReviewedEscalations: users.showReviewedEscalations,
      profile: profiles,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .leftJoin(departments, eq(departments.id, users.departmentId))
    .where(and(isWanted(users.id), isNull(users.deletedAt), eq(users.isService, false))),
)
type Found = Awaited<ReturnType<typeof select>>[number]

const rowOf = (found: Found): ProfileRow => {
  const { id, version, username, email, departmentId, departmentName, firstName, lastName, image, profile } = found
  return {
    ...{ _id: id, version, username, email, departmentId, departmentName },
    hiredAt: profile?.hiredAt ?? null,
    lastDay: profile?.lastDay ?? null,
    timeZone: profile?.timeZone ?? null,
    personalDetails: {
      ...{ firstName, lastName, image },
      phone: profile?.phone ?? null,
      birthDate: profile?.birthDate ?? null,
    },
  }
}

/** Profiles for lists, in the order of `ids`, without deleted users. */
export async function readProfiles(db: Db, ids: number[]): Promise<ProfileRow[]> {
  return inOrder(ids, await select(db, ids)).map(rowOf)
}

/**
 * A profile with its settings; 404 for a missing user. A user without a row has an empty profile. Quiet hours and
 * chosen deliveries are shown to their owner only.
 */
export async function readProfile(db: Db, staff: Pick<Staff, 'id'>, id: number): Promise<Profile> {
  const [found] = await select(db, [id])
  if (!found) throw notFound('profile', id)
  const { darkTheme, showReviewedEscalations, profile } = found
  const { quietFrom, quietTo, deliveries, language, region, firstDay } = (staff.id === id && profile) || {}
  return {
    ...rowOf(found),
    profileConfig: {
      enabledDarkTheme: darkTheme ?? false,
      theme: themeOf(darkTheme),
      showReviewedEscalations,
      locale: { language: language ?? null, region: region ?? null, firstDay: firstDay ?? null },
      quietHours: quietFrom && quietTo ? { from: quietFrom, to: quietTo } : null,
      deliveries: deliveries ?? {},
    },
  }
}
