import type { elevations as contract, Elevation } from '@innkeeper/contract/access/elevations'
import { holds } from '@innkeeper/contract/kit/access'
import { permissionWords } from '@innkeeper/contract/permissions/services'
import { eq, type SQL, sql } from 'drizzle-orm'
import { standing } from '../../kit/access/sessions.ts'
import { namesText } from '../../kit/app/namesText.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, outOfReach, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { weakEntries } from '../rights/letIn.ts'
import { mayActOn } from '../rights/reach.ts'
import { grantorsOf } from '../scopes/grantors.ts'
import { from, isInState, readElevation, readElevations } from './read.ts'
import { ruleHandlers } from './rules.ts'
import { elevations } from './tables.ts'
import { offersTo, termsOf } from './terms.ts'

const sorts = {
  createdAt: { column: sql`x.created_at`, type: 'instant', direction: 'DESC' },
  endsAt: { column: sql`coalesce(x.ends_at, 'infinity')`, type: 'instant', direction: 'DESC' },
} as const
/** Requests of one person that wait or are held. */
const MOST = 20

export const elevationsHandlers: Handlers<typeof contract> = {
  ...ruleHandlers,

  async list({ user, state, scope, search, ...input }, { db, staff }) {
    const seesAll = holds(staff, 'users:elevation:read') || holds(staff, 'users:elevation:grant')
    const where: SQL[] = seesAll ? [sql`true`] : [sql`x.user_id = ${staff.id}`]
    if (user) where.push(sql`x.user_id in ${user}`)
    if (state) where.push(isInState[state])
    if (scope) where.push(sql`${scope} = any(x.scopes)`)
    if (search) where.push(contains(sql`${personName('u')} || ' ' || x.reason`, search))
    const order = sorts[input.sort ?? 'createdAt']
    const { ids, ...page } = await pageKeys(db, input, { from, where, key: sql`x.elevation_id`, order })
    return { items: await readElevations(db, ids), ...page }
  },

  async held(_, { db, staff }) {
    const found = await rows<{ id: number }>(
      db,
      sql`select x.elevation_id as id from elevations x where x.user_id = ${staff.id} and ${isInState.held} order by x.ends_at`,
    )
    const items = await readElevations(
      db,
      found.map(({ id }) => id),
    )
    return { items, total: items.length }
  },

  async terms({ scopes = [], roleId = null }, { db, staff }) {
    return termsOf(db, staff.id, { scopes: roleId === null ? scopes : await scopesOf(db, roleId), roleId })
  },

  async offers(_, { db, staff }) {
    const items = await offersTo(db, staff.id)
    return { items, total: items.length }
  },

  async ask({ roleId, minutes, reason, ...input }, context) {
    const { db, staff, app, audit } = context
    await db.execute(sql`select from users where user_id = ${staff.id} for update`)
    const wanted = roleId === null ? [...new Set(input.scopes)].sort() : await scopesOf(db, roleId)
    const scopes = wanted.filter((scope) => !holds(standing(staff), scope))
    if (!scopes.length) {
      const text = wanted.length ? 'You have these permissions already' : 'Choose at least one permission'
      throw refused(text, { [roleId === null ? 'scopes' : 'roleId']: text })
    }
    const { way, maxMinutes } = await termsOf(db, staff.id, { scopes, roleId })
    if (way === 'never') throw refused('A rule says that these permissions are not given for some time')
    if (minutes > maxMinutes) {
      const text = `At most ${maxMinutes} minutes`
      throw refused(text, { minutes: text })
    }
    await checkOthers(db, staff.id, scopes)
    const [made] = await db
      .insert(elevations)
      .values({ userId: staff.id, roleId, scopes, minutes, reason, atOnce: way === 'at-once', createdBy: staff.id })
      .returning({ id: elevations.id })
    const { id } = made!
    audit.of('elevation', id)
    const { roleName } = await readElevation(db, id)
    const what = roleName
      ? `the role ${roleName}`
      : namesText(
          scopes.map((scope) => `“${permissionWords(scope)}”`),
          3,
        )
    if (way === 'at-once') {
      await begin(context, id)
      const to = await grantorsOf(db, scopes, staff.id, 'users:elevation:grant')
      await app.notify(db, {
        ...{ to, reason: 'rights', title: `${staff.name} has ${what} for ${minutes} minutes`, link: '/elevations' },
        body: reason,
      })
    } else {
      const to = await grantorsOf(db, scopes, staff.id, 'users:elevation:grant')
      await app.notify(db, {
        ...{
          to,
          reason: 'rights',
          title: `${staff.name} asks for ${what} for ${minutes} minutes`,
          link: '/elevations',
        },
        body: reason,
      })
    }
    return written(context, id)
  },

  async grant({ id, note }, context) {
    const { db, app, staff } = context
    const asked = await findAsked(context, id)
    await mayDecide(context, asked)
    await db.update(elevations).set({ decidedById: staff.id, note }).where(eq(elevations.id, id))
    await begin(context, id)
    await app.notify(db, {
      ...{ to: [asked.userId], reason: 'rights', link: '/elevations' },
      title: `${staff.name} granted what you asked for`,
      body: `It ends after ${asked.minutes} minutes.`,
    })
    return written(context, id)
  },

  async refuse({ id, note }, context) {
    const { db, app, staff } = context
    const asked = await findAsked(context, id)
    await mayDecide(context, asked)
    await db.update(elevations).set({ decidedById: staff.id, note }).where(eq(elevations.id, id))
    await end(context, id, 'refused')
    await app.notify(db, {
      ...{ to: [asked.userId], reason: 'rights', link: '/elevations' },
      title: `${staff.name} refused what you asked for`,
      body: note,
    })
    return written(context, id)
  },

  async end({ id }, context) {
    const { db, app, staff, audit } = context
    const open = await find(context, id)
    const isMine = open.userId === staff.id
    if (!isMine && !holds(staff, 'users:elevation:grant')) throw notFound('elevation', id)
    audit.of('elevation', id)
    if (open.state !== 'held' && open.state !== 'asked')
      throw conflict(`This elevation is ${open.state}`, { current: open })
    if (!isMine) await mayActOn(db, staff, { ids: [open.userId] })
    await end(context, id, 'hand')
    if (!isMine)
      await app.notify(db, {
        ...{ to: [open.userId], reason: 'rights', level: 'warning', link: '/elevations' },
        title: `${staff.name} ended ${open.state === 'held' ? 'your elevation' : 'your request for permissions'}`,
        body: open.reason,
      })
    return written(context, id)
  },
}

async function find({ db, audit }: Context, id: number): Promise<Elevation> {
  await db.execute(sql`select from elevations where elevation_id = ${id} for update`)
  const found = await readElevation(db, id)
  audit.before(logged(found))
  return found
}

/** What the action log keeps: the row is found by the name of its person. */
const logged = (elevation: Elevation) => ({ ...elevation, name: elevation.userName })

async function findAsked(context: Context, id: number): Promise<Elevation> {
  const found = await find(context, id)
  if (found.state !== 'asked') throw conflict(`This request is ${found.state} already`, { current: found })
  return found
}

async function written({ db, audit }: Context, id: number): Promise<Elevation> {
  const elevation = await readElevation(db, id)
  audit.after(logged(elevation))
  await changed(db, 'elevations', id)
  return elevation
}

/** A second person who has all of it for good, and reaches the one who asks. */
async function mayDecide({ db, staff }: Context, { userId, scopes }: Elevation): Promise<void> {
  if (userId === staff.id) throw outOfReach('You asked for this yourself: somebody else has to decide')
  const lacks = scopes.filter((scope) => !holds(standing(staff), scope))
  if (lacks.length) throw outOfReach(`You cannot decide about permissions that you lack: ${namesText(lacks, 3)}`)
  await mayActOn(db, staff, { ids: [userId] })
}

/** The time begins. Refused while somebody with fewer rights could have the sign-in of the person. */
async function begin({ db, app }: Context, id: number): Promise<void> {
  const [begun] = await rows<{ userId: number }>(
    db,
    sql`update elevations x set starts_at = now(), ends_at = now() + make_interval(mins => x.minutes), updated_at = now(),
        version = x.version + 1
      from users u where x.elevation_id = ${id} and u.user_id = x.user_id and u.deleted_at is null and u.suspended_at is null
      returning x.user_id as "userId"`,
  )
  if (!begun) throw conflict('The account of this person is suspended or deleted')
  const [weak] = await weakEntries(db, { ids: [begun.userId] })
  if (weak)
    throw outOfReach(
      `${weak.maker} made the sign-in of ${weak.name} lately and has fewer rights: an administrator makes a new sign-in link first`,
    )
  await app.sessions.touch(db, begun.userId)
}

async function end({ db, app, staff }: Context, id: number, ending: 'hand' | 'refused'): Promise<void> {
  const [ended] = await db
    .update(elevations)
    .set({ endedAt: sql`now()`, endedById: staff.id, ending, toldAt: sql`now()`, ...nextVersion })
    .where(eq(elevations.id, id))
    .returning({ userId: elevations.userId })
  if (ended) await app.sessions.touch(db, ended.userId)
}

async function checkOthers(db: Db, userId: number, scopes: readonly string[]): Promise<void> {
  const open = await rows<{ scopes: string[]; state: string }>(
    db,
    sql`select x.scopes, case when x.starts_at is null then 'asked for' else 'got' end as state from elevations x
      where x.user_id = ${userId} and (${isInState.asked} or ${isInState.held}) limit ${MOST}`,
  )
  if (open.length >= MOST) throw conflict(`You have ${MOST} requests and elevations. End some first.`)
  const same = open.find((one) => scopes.every((scope) => one.scopes.includes(scope)))
  if (same) throw conflict(`You have ${same.state} these permissions already`)
}

async function scopesOf(db: Db, roleId: number): Promise<string[]> {
  const [role] = await rows<{ scopes: string[] }>(
    db,
    sql`select scopes from roles where role_id = ${roleId} and deleted_at is null`,
  )
  if (!role) throw refused(`Role ${roleId} is gone`, { roleId: 'Is gone. Choose another.' })
  return role.scopes.sort()
}
