import { permissions } from '@innkeeper/contract/permissions/services'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../app.ts'
import { addressOf, type Call, writing } from './calls.ts'

/**
 * Combines each call that changes an account, sign-in or role with each kind of person with more rights than the
 * caller.
 */
let t: TestApp
let admin: { id: number; token: string }
beforeAll(async () => {
  t = await openTestApp()
  admin = await t.somebody('admin')
})
afterAll(() => t.close())

type Victim = { id: number; session: number; role: number; department: number }
type Ask = (victim: Victim) => { params?: Record<string, string>; body?: unknown }
const at = ({ id }: Victim) => ({ id: String(id) })
const account: Ask = (v) => ({ params: at(v) })

const acts: Record<string, Ask> = {
  'users.update': (v) => ({ params: at(v), body: { lastName: 'Changed' } }),
  'users.remove': (v) => ({ body: { id: v.id } }),
  'users.forceLogout': (v) => ({ body: { userId: v.id } }),
  'users.endSession': (v) => ({ params: { ...at(v), session: String(v.session) } }),
  'users.link': account,
  'users.setPassword': (v) => ({ params: at(v), body: { password: 'nine blue kettles' } }),
  'users.unlock': account,
  'users.suspend': account,
  'users.resume': account,
  'users.dropSecondFactor': account,
  'recovery.ask': (v) => ({ body: { userId: v.id, reason: 'The phone is lost' } }),
  'roles.update': (v) => ({ params: { id: String(v.role) }, body: { requiresSecondFactor: false } }),
  'roles.assign': (v) => ({ body: { users: [v.id], role: null } }),
  'roles.remove': (v) => ({ body: { id: v.role } }),
  'departments.update': (v) => ({ params: { id: String(v.department) }, body: { add: [v.id] } }),
  'profiles.update': (v) => ({ params: at(v), body: { personalDetails: { phone: '+47 22 00 00 00' } } }),
  'profiles.create': (v) => ({ body: { userId: v.id, phone: '+47 22 00 00 00' } }),
}
/** Calls of the same services that affect only their caller or nobody in particular. */
const others = [
  ...['users.create', 'roles.create', 'departments.create', 'departments.remove', 'profiles.config'],
  ...['scopes.sync', 'scopes.ask'],
  // their recovery names the person, who is judged again
  ...['recovery.confirm', 'recovery.refuse'],
  ...['auth.logout', 'auth.password', 'auth.endSession', 'auth.endOthers', 'auth.token', 'auth.redeem'],
  ...['secondFactor.begin', 'secondFactor.confirm', 'secondFactor.remove', 'secondFactor.backupCodes'],
]
const domains = ['users', 'roles', 'departments', 'scopes', 'profiles', 'auth', 'secondFactor', 'recovery']
const callOf = (name: string) => writing.find((call) => call.name === name) as Call // checked by the first test

/** All permissions that manage accounts, and no others. */
const manager = Object.keys(permissions).filter((scope) => /^(users|employee):/.test(scope))
const STRONG = 'dns:zone:delete'

async function place(name: string): Promise<number> {
  const { body } = await t.call('POST', '/api/auth/departments', { token: admin.token, body: { name } })
  return body.id
}

/** A person with a role of these permissions, and a session. */
async function victim(scopes: string[] | 'admin', department?: number): Promise<Victim> {
  const { id } = await t.somebody(scopes)
  if (department) await t.app.db.execute(sql`update users set department_id = ${department} where user_id = ${id}`)
  const [found] = await rows<{ session: number; role: number | null }>(
    t.app.db,
    sql`select session_id as session, role_id as role from sessions join users using (user_id) where user_id = ${id}`,
  )
  return { id, session: found!.session, role: found!.role ?? 0, department: await place(`for ${id}`) }
}

const change = (token: string, path: string, body: unknown) => t.call('PATCH', `/api/auth${path}`, { token, body })
const stronger: [string, () => Promise<Victim>, RegExp][] = [
  ['holds more', () => victim([STRONG]), /dns:zone:delete/],
  ['is an administrator', () => victim('admin'), /administrator/],
  ['works in another department', async () => victim([], await place(`theirs ${Math.random()}`)), /belongs to theirs/],
  [
    'held more until their role was taken',
    async () => {
      const who = await victim([STRONG])
      await change(admin.token, '/roles/users', { users: [who.id], role: null })
      return who
    },
    /dns:zone:delete/,
  ],
  [
    'held more until their role was emptied',
    async () => {
      const who = await victim([STRONG])
      await change(admin.token, `/roles/${who.role}`, { scopes: [] })
      return who
    },
    /dns:zone:delete/,
  ],
  [
    'was an administrator lately',
    async () => {
      const who = await victim('admin')
      await change(admin.token, `/users/${who.id}`, { isAdmin: false })
      return who
    },
    /administrator/,
  ],
]

describe('an act on another person', () => {
  it('is listed: every writing call of accounts and rights is in one of the lists', () => {
    const found = writing.map(({ name }) => name).filter((name) => domains.includes(name.split('.')[0] ?? ''))
    expect(found.sort()).toEqual([...Object.keys(acts), ...others].sort())
  })

  const cases = Object.entries(acts).flatMap(([name, ask]) =>
    stronger.map(([who, make, says]) => ({ name, ask, who, make, says })),
  )
  it.each(cases)('$name is denied to anybody with fewer rights than the other $who', async ({
    name,
    ask,
    who,
    make,
    says,
  }) => {
    const weak = await t.somebody(manager)
    const other = await make()
    const isOfRole = name === 'roles.update' || name === 'roles.remove'
    // an administrator has no role here, and a role without people or permissions protects nobody
    if (isOfRole && (other.role === 0 || who.includes('until their role was taken'))) return
    const { endpoint } = callOf(name)
    const { params, body } = ask(other)
    const before = await stored(other)
    const answer = await t.call(endpoint.method as 'POST', addressOf(endpoint.path, params), {
      token: weak.token,
      ...(body !== undefined && { body }),
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'denied', message: expect.stringMatching(says) } })
    expect(await stored(other)).toEqual(before)
  })
  it.each(Object.keys(acts))('%s is allowed for a caller with the same rights as the person', async (name) => {
    const peer = await t.somebody([...manager, STRONG])
    const other = await victim([STRONG])
    if (name === 'users.dropSecondFactor' || name === 'roles.remove') return // 204 and 409: tested with users and roles
    if (name === 'users.resume')
      await t.app.db.execute(sql`update users set suspended_at = now() where user_id = ${other.id}`)
    const { endpoint } = callOf(name)
    const { params, body } = acts[name]!(other)
    const answer = await t.call(endpoint.method as 'POST', addressOf(endpoint.path, params), {
      token: peer.token,
      ...(body !== undefined && { body }),
    })
    if (name === 'departments.update') expect(answer.body.message).toMatch(/You do not belong to/)
    else expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  })

  /** The data that an act could change. */
  const stored = ({ id, role }: Victim) =>
    rows(
      t.app.db,
      sql`select u.role_id, u.is_admin, u.department_id, u.last_name, u.deleted_at, u.password_hash, r.scopes,
          r.requires_second_factor, p.phone, (select count(*)::int from sign_in_links l where l.user_id = u.user_id) as links,
          (select count(*)::int from sessions s where s.user_id = u.user_id and s.revoked_at is null) as sessions
        from users u left join roles r on r.role_id = ${role} left join profiles p on p.user_id = u.user_id
        where u.user_id = ${id}`,
    )
})

describe('a detour through a role', () => {
  it('is closed: nobody can remove the role of a person with more rights, and then create a sign-in link for the person', async () => {
    const weak = await t.somebody(['users:user:update', 'users:role:assign', 'users:user:read'])
    const other = await victim([STRONG])
    expect((await change(weak.token, `/users/${other.id}`, { roleId: null })).status).toBe(403)
    expect((await change(weak.token, '/roles/users', { users: [other.id], role: null })).status).toBe(403)
    await change(admin.token, `/users/${other.id}`, { roleId: null })
    const link = await t.call('POST', `/api/auth/users/${other.id}/link`, { token: weak.token })
    expect(link.status).toBe(403)
  })

  describe('of somebody who reads more by an appointment', () => {
    const rights = ['calendar:leave:review', 'dossier:feedback:read']
    /** A lead and a peer with the same permissions; `appoint` is what an administrator does. */
    const appointments = {
      'as the manager of a team': async (lead: number) => {
        const name = `Team of ${lead}`
        const { body: team } = await ask(admin.token, '/dossier-controller/teams', { name, managerId: lead })
        const { id: userId } = await t.somebody([])
        await ask(admin.token, '/dossier-controller/users', { userId })
        await ask(admin.token, '/dossier-controller/memberships', { userId, teamId: team.id, from: '2026-01-01' })
      },
      'as an approver of leaves': async (lead: number) => {
        await ask(admin.token, '/leave-calendar/approvers', { departmentId: null, approvers: [{ userId: lead }] })
      },
    }
    const ask = async (token: string, path: string, body: object) => {
      const answer = await t.call('POST', `/api${path}`, { token, body })
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer
    }
    const link = async (token: string, id: number) => t.call('POST', `/api/auth/users/${id}/link`, { token })
    const redeem = (made: string) =>
      t.call('POST', '/api/auth/link/token', {
        body: { link: made.split('#link=')[1], password: 'four green bottles' },
      })

    it.each(Object.entries(appointments))('%s: denied to a peer, and to a peer’s earlier link', async (_, appoint) => {
      const peer = await t.somebody([...manager, ...rights])
      const lead = await victim([...rights])
      const second = await victim([...rights])
      const early = await link(peer.token, lead.id)
      const used = await redeem((await link(peer.token, second.id)).body.link)
      expect([early.status, used.status]).toEqual([201, 200])
      await appoint(lead.id)
      expect((await redeem(early.body.link)).status).toBe(404)
      for (const [path, body] of [['link'], ['password', { password: 'nine blue kettles' }]] as const) {
        const answer = await t.call('POST', `/api/auth/users/${lead.id}/${path}`, { token: peer.token, body })
        expect(answer).toMatchObject({
          status: 403,
          body: { message: expect.stringMatching(/ people, and you do not/) },
        })
      }
      await appoint(second.id) // whoever made this sign-in lately keeps it no longer
      await expect
        .poll(async () => (await t.call('GET', '/api/auth/validate', { token: used.body.token })).status)
        .toBe(401)
      const again = await link(admin.token, lead.id)
      expect((await redeem(again.body.link)).status).toBe(200)
      const session = await redeem((await link(admin.token, second.id)).body.link)
      const { body } = await t.call('GET', '/api/employee-controller/notifications', { token: session.body.token })
      expect(JSON.stringify(body)).toContain('A sign-in link was made for you')
    })
  })

  it('ends with a promotion: a link made by somebody with fewer rights is void, with its session and password', async () => {
    const weak = await t.somebody(['users:user:create', 'users:user:update'])
    const strong = await victim([STRONG])
    const made = async (name: string) => {
      const body = { username: name, email: `${name}@example.org`, firstName: 'Puppet', lastName: name }
      return (await t.call('POST', '/api/auth/users', { token: weak.token, body })).body
    }
    const password = 'four green bottles'
    const redeem = (link: string) =>
      t.call('POST', '/api/auth/link/token', { body: { link: link.split('#link=')[1], password } })
    const [used, open] = [await made('puppet1'), await made('puppet2')]
    const { token } = (await redeem(used.link.link)).body
    const assigned = await change(admin.token, '/roles/users', { users: [used.id, open.id], role: strong.role })
    expect(assigned.status).toBe(200)
    await expect.poll(async () => (await t.call('GET', '/api/auth/validate', { token })).status).toBe(401)
    expect((await redeem(open.link.link)).status).toBe(404)
    const signIn = await t.call('POST', '/api/auth/token', { body: { user: 'puppet1', password } })
    expect(signIn.status).toBe(401)
    const { body } = await t.call('GET', '/api/employee-controller/notifications', { token: admin.token })
    expect(JSON.stringify(body)).toContain('Puppet puppet1 needs a new sign-in link')
    // somebody with the same rights invites the person again
    const again = await t.call('POST', `/api/auth/users/${used.id}/link`, { token: admin.token })
    expect((await redeem(again.body.link)).status).toBe(200)
  })

  it('does not end links made by somebody with the same rights', async () => {
    const peer = await t.somebody(['users:user:create', 'users:user:update', STRONG])
    const strong = await victim([STRONG])
    const fields = { username: 'honest', email: 'honest@example.org', firstName: 'Honest', lastName: 'Helper' }
    const { body } = await t.call('POST', '/api/auth/users', { token: peer.token, body: fields })
    const link = body.link.link.split('#link=')[1]
    const { token } = (await t.call('POST', '/api/auth/link/token', { body: { link, password: 'four green bottles' } }))
      .body
    await change(admin.token, `/users/${body.id}`, { roleId: strong.role })
    expect((await t.call('GET', '/api/auth/validate', { token })).body.user.scopes).toEqual([STRONG])
  })

  it('ends after 30 days', async () => {
    const weak = await t.somebody(manager)
    const other = await victim([STRONG])
    await change(admin.token, `/users/${other.id}`, { roleId: null })
    await t.app.db.execute(sql`update held_rights set until = now() - interval '31 days' where user_id = ${other.id}`)
    expect((await t.call('POST', `/api/auth/users/${other.id}/link`, { token: weak.token })).status).toBe(201)
  })
})

describe('one’s own', () => {
  it('role, and the second factor that the role requires, can be changed only by others', async () => {
    const { id, token } = await t.somebody(manager)
    const [own] = await rows<{ role: number }>(t.app.db, sql`select role_id as role from users where user_id = ${id}`)
    await t.app.db.execute(sql`update roles set requires_second_factor = true where role_id = ${own!.role}`)
    await t.app.db.execute(sql`insert into second_factors (user_id, confirmed_at) values (${id}, now())`)
    await t.app.sessions.touch(t.app.db, id)
    const { token: other } = await t.somebody(manager)
    for (const answer of [
      await change(token, `/roles/${own!.role}`, { requiresSecondFactor: false }),
      await change(token, `/users/${id}`, { roleId: null }),
      await change(token, '/roles/users', { users: [id], role: null }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: 'denied' } })
    expect((await change(other, `/roles/${own!.role}`, { requiresSecondFactor: false })).status).toBe(200)
  })

  it('department can be renamed, and another one only while nobody works there', async () => {
    const [mine, theirs] = [await place('Named'), await place('Named by others')]
    const { id, token } = await t.somebody(manager)
    await t.app.db.execute(sql`update users set department_id = ${mine} where user_id = ${id}`)
    await t.app.sessions.touch(t.app.db, id)
    const rename = async (of: number, body: object) => (await change(token, `/departments/${of}`, body)).status
    expect(await rename(theirs, { name: 'Corrected' })).toBe(200)
    const { id: member } = await victim([])
    await t.app.db.execute(sql`update users set department_id = ${theirs} where user_id = ${member}`)
    expect(await rename(theirs, { name: 'Taken over' })).toBe(403)
    expect(await rename(theirs, { description: 'Taken over' })).toBe(403)
    expect(await rename(theirs, { name: 'Corrected' })).toBe(200)
    await expect.poll(() => rename(mine, { name: 'Renamed' })).toBe(200)
  })

  it('department can be changed only by others, and nobody can assign another department than their own', async () => {
    const [mine, theirs] = [await place('Mine'), await place('Theirs')]
    const { id, token } = await t.somebody(manager)
    const accomplice = await victim([])
    await t.app.db.execute(sql`update users set department_id = ${mine} where user_id = ${id}`)
    await t.app.sessions.touch(t.app.db, id)
    const validate = async () => (await t.call('GET', '/api/auth/validate', { token })).body.user.departmentId
    await expect.poll(validate).toBe(mine)
    const fresh = { username: 'fresh-one', email: 'fresh-one@example.org', firstName: 'F', lastName: 'One' }
    const denied = { status: 403, body: { code: 'denied', message: expect.stringMatching(/department|belong/) } }
    for (const answer of [
      await change(token, `/users/${id}`, { departmentId: theirs }),
      await change(token, `/users/${id}`, { userData: { departmentId: theirs } }),
      await change(token, `/users/${id}`, { departmentId: null }),
      await change(token, `/departments/${theirs}`, { add: [id] }),
      await change(token, `/departments/${mine}`, { remove: [id] }),
      await change(token, `/users/${accomplice.id}`, { departmentId: theirs }),
      await change(token, `/departments/${theirs}`, { add: [accomplice.id] }),
      await t.call('POST', '/api/auth/users', { token, body: { ...fresh, departmentId: theirs } }),
    ])
      expect(answer).toMatchObject(denied)
    expect((await change(token, `/departments/${mine}`, { add: [accomplice.id] })).status).toBe(200)
    expect((await change(token, `/departments/${mine}`, { remove: [accomplice.id] })).status).toBe(200)
    expect((await change(admin.token, `/users/${admin.id}`, { departmentId: theirs })).status).toBe(200)
    await change(admin.token, `/users/${admin.id}`, { departmentId: null })
  })
})
