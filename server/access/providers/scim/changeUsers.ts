import type { Holding } from '@innkeeper/contract/access/users/shapes'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { keepAnAdministrator, removeInTurn } from '../../rights/rights.ts'
import { holdingsOf } from '../../users/holdings.ts'
import { removeUser, resumeUser, suspendUser } from '../../users/leave.ts'
import { readUser } from '../../users/read.ts'
import { users } from '../../users/tables.ts'
import { isTaken, link } from '../people/accounts.ts'
import { actingFor } from '../people/acting.ts'
import { applyMapping } from '../people/mapping.ts'
import { identities } from '../tables.ts'
import { ScimError } from './errors.ts'
import { patched } from './patch.ts'
import { type Asked, checkMatch, idOf, type Resource, written } from './request.ts'
import { readSent, readStored, resourceOf, type StoredUser, type Wanted } from './users.ts'

/** Makes an account, or takes one over by its address if the provider may (`linksByEmail`). */
export const createUser = (asked: Asked): Promise<Resource> =>
  written(asked, { action: 'create', resource: 'user' }, async (db) => {
    const { provider, request } = asked
    const wanted = readSent(request.body)
    // of two equal requests at once, one makes the account
    await db.execute(sql`select from identity_providers where provider_id = ${provider.id} for update`)
    await forgetGone(db, provider.id, wanted)
    const known = await linkable(db, asked, wanted)
    if (known !== undefined) await asked.app.holdForDepartment(db, [known])
    const userId = known ?? (await insert(db, wanted))
    const identityId = await link(db, provider.id, userId, { externalId: wanted.externalId })
    await applyMapping(asked.app, db, identityId)
    if (!wanted.isActive) await suspend(asked, db, userId)
    await changed(db, 'users', userId)
    return result(await readStored(db, provider.id, String(userId)))
  })

export const replaceUser = (asked: Asked): Promise<Resource> => update(asked, () => readSent(asked.request.body))
export const patchUser = (asked: Asked): Promise<Resource> =>
  update(asked, (before) => readSent(patched(resourceOf(before), asked.request.body)))

const result = (stored: StoredUser) => {
  const resource = resourceOf(stored)
  const { username, email, isActive } = stored
  return {
    id: String(stored.userId),
    subject: `${stored.firstName} ${stored.lastName}`,
    after: { username, email, isActive },
    answer: resource,
  }
}

function update(asked: Asked, wantedOf: (before: StoredUser) => Wanted): Promise<Resource> {
  const { app, provider } = asked
  const id = idOf(asked)
  return written(asked, { action: 'update', resource: 'user' }, async (db) => {
    await removeInTurn(db)
    await hold(asked, db)
    const before = await readStored(db, provider.id, id, { lock: true })
    checkMatch(asked, resourceOf(before))
    const wanted = wantedOf(before)
    await store(db, before, wanted)
    if (before.isActive && !wanted.isActive && (await leave(asked, db, before.userId)) === 'deleted')
      return result({ ...before, ...wanted })
    if (!before.isActive && wanted.isActive) {
      await resumeUser({ db }, { id: before.userId })
      await applyMapping(app, db, before.identityId)
    }
    return result(await readStored(db, provider.id, id))
  })
}

/** Before the row of the person, because their groups may give another department. */
async function hold(asked: Asked, db: Db): Promise<void> {
  const { userId } = await readStored(db, asked.provider.id, idOf(asked))
  await asked.app.holdForDepartment(db, [userId])
}

/** The provider removes a person: as `active: false`, and afterwards it no longer sees the account. */
export const removeUserOf = (asked: Asked): Promise<void> =>
  written(asked, { action: 'delete', resource: 'user' }, async (db) => {
    const { app, provider } = asked
    await removeInTurn(db)
    await hold(asked, db)
    const before = await readStored(db, provider.id, idOf(asked), { lock: true })
    checkMatch(asked, resourceOf(before))
    if ((await leave(asked, db, before.userId)) === 'suspended') {
      await db.execute(sql`delete from provider_group_members where identity_id = ${before.identityId}`)
      await db.update(identities).set({ groups: [] }).where(eq(identities.id, before.identityId))
      await applyMapping(app, db, before.identityId)
      await db.delete(identities).where(eq(identities.id, before.identityId))
    }
    return { ...result(before), answer: undefined }
  })

async function store(db: Db, before: StoredUser, wanted: Wanted): Promise<void> {
  const { username, email, firstName, lastName, externalId } = wanted
  await checkFree(db, wanted, before.userId)
  const isSame =
    username === before.username &&
    email === before.email &&
    firstName === before.firstName &&
    lastName === before.lastName
  if (!isSame) {
    await db
      .update(users)
      .set({ username, email, firstName, lastName, ...nextVersion })
      .where(eq(users.id, before.userId))
    await changed(db, 'users', before.userId)
  }
  if (externalId !== before.externalId)
    await db
      .update(identities)
      .set({ externalId, ...nextVersion })
      .where(eq(identities.id, before.identityId))
}

async function insert(db: Db, wanted: Wanted): Promise<number> {
  await checkFree(db, wanted)
  const { username, email, firstName, lastName } = wanted
  const [made] = await db
    .insert(users)
    .values({ username, email, firstName, lastName, passwordHash: '' })
    .returning({ id: users.id })
  return made!.id
}

async function checkFree(db: Db, { username, email }: Wanted, except = 0): Promise<void> {
  if (await isTaken(db, username, except))
    throw new ScimError(409, `${username} belongs to another account`, 'uniqueness')
  if (await isTaken(db, email, except)) throw new ScimError(409, `${email} belongs to another account`, 'uniqueness')
}

async function linkable(db: Db, { provider }: Asked, { email }: Wanted): Promise<number | undefined> {
  if (!provider.linksByEmail) return undefined
  const [found] = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users u where lower(email) = lower(${email}) and deleted_at is null and not is_service
      and not exists (select from identities i where i.provider_id = ${provider.id} and i.user_id = u.user_id)
      and not exists (select from sign_in_settings s where s.break_glass_id = u.user_id)`,
  )
  return found?.id
}

/** People who were deleted here and come back get a new account. */
const forgetGone = (db: Db, providerId: number, { username, email, externalId }: Wanted) =>
  db.execute(sql`delete from identities i using users u where u.user_id = i.user_id and u.deleted_at is not null
    and i.provider_id = ${providerId} and (i.external_id = ${externalId} or lower(u.username) = lower(${username})
      or lower(u.email) = lower(${email}))`)

async function suspend({ app }: Asked, db: Db, userId: number): Promise<void> {
  await suspendUser({ app, db }, await readUser(db, userId))
}

/** Suspends or deletes a leaver, as the provider's rule says. Records pass to the heir as when staff delete an account. */
async function leave(asked: Asked, db: Db, userId: number): Promise<'suspended' | 'deleted'> {
  const { app, provider } = asked
  const user = await readUser(db, userId)
  if (user.isAdmin) await keepAnAdministrator(db, userId)
  const heir = provider.heirId !== userId ? provider.heirId : null
  if (provider.leavers === 'delete' && heir !== null) {
    await removeUser({ app, db, staff: actingFor(provider), now: new Date() }, user, heir)
    return 'deleted'
  }
  await suspend(asked, db, userId)
  const held = await holdingsOf(app, db, userId)
  if (held.length || provider.leavers === 'delete') await notifyOfSuspended(asked, db, user, held)
  return 'suspended'
}

/** A suspended person keeps shifts and tickets, which nobody else sees as waiting: administrators hear of them. */
async function notifyOfSuspended(
  { app, provider }: Asked,
  db: Db,
  user: { id: number; name: string },
  held: readonly Holding[],
): Promise<void> {
  const administrators = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where is_admin and deleted_at is null and suspended_at is null and user_id <> ${user.id}`,
  )
  await app.notify(db, {
    to: administrators.map(({ id }) => id),
    reason: 'handover',
    level: 'warning',
    title: `${provider.name} suspended ${user.name}, who still holds records`,
    body: `${held.map(({ label, count }) => `${label}: ${count}`).join(', ') || 'No coming work'}. Delete the account and choose who gets them, unless ${user.name} comes back.`,
    link: `/users/edit/${user.id}`,
  })
}
