import type { Driver } from '../../kit/driver.ts'
import { exclusive, notes, read, replace, spooled, takeOut, throwMade, thrown } from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import { ask } from './ask.ts'
import { creating, dress } from './groups.ts'
import { become, dropRole, groupsOf, type Held, heldBy, missing, type User, verifierOf } from './role.ts'

const KIND = 'pg-database-user'
const label = (user: string) => `${user}.pg-database-user`

/** Sets an account to exactly these privileges. Undo restores its former ones and its password, or removes it. */
export const ensureUser: Driver<'database-user.ensure'> = {
  run: (c) =>
    exclusive(`pg-database-user ${c.input.user}`, async () => {
      const { user, password, locked, grants, fresh } = c.input
      refuseReserved(c.input)
      const before = await heldBy(user)
      if (!before && !password) throw new Error(`${user} does not exist, and no password is given to create it`)
      const wanted = await groupsOf(grants)
      const mine = (await notes.find(KIND, user))?.by === c.actionId
      if (before && fresh && !mine)
        throw new Error(`this server has a database account ${user} already: delete it there, or choose another name`)
      if (!mine) await notes.keep(KIND, user, c.actionId, before ? { before: JSON.stringify(before) } : {})
      c.fence()
      const lacking = await missing(wanted.flatMap(({ groups }) => groups))
      if (lacking.length) {
        await ask(creating(lacking))
        for (const { database, groups } of wanted)
          if (groups.some((one) => lacking.includes(one))) await dress(database)
      }
      const verifier = password ? verifierOf(password) : (before?.password ?? null)
      await become(user, { password: verifier, login: !locked, groups: wanted.flatMap(({ groups }) => groups) }, before)
      const to = grants.map(({ database }) => database).join(', ')
      c.say(`${user} ${locked ? 'is locked' : 'can connect'}${to && `; its own: ${to}`}`)
    }),
  undo: (c) =>
    exclusive(`pg-database-user ${c.input.user}`, async () => {
      const { user } = c.input
      const note = await notes.find(KIND, user)
      if (note?.by !== c.actionId) return c.say(`${user} was not changed by this action: it stays`)
      c.fence()
      const before = note.about.before
      if (before)
        await become(user, JSON.parse(before) as Held, await heldBy(user)) // written by run
      else await dropRole(user)
      await notes.drop(KIND, user)
      c.say(before ? `${user} is as it was before` : `${user} is removed`)
    }),
  async inspect({ input: { user, locked, password, grants }, task, actionId }) {
    if (task === 'undo') return (await notes.find(KIND, user))?.by === actionId ? 'no' : 'yes'
    const held = await heldBy(user)
    if (password || !held || held.login === locked) return 'no' // setting a password again is harmless
    const wanted = (await groupsOf(grants)).flatMap(({ groups }) => groups)
    return wanted.length === held.groups.length && wanted.every((one) => held.groups.includes(one)) ? 'yes' : 'no'
  },
}

/** Moves the password verifier and the groups of an account into the trash. Undo restores them. */
export const removeUser: Driver<'database-user.remove'> = {
  run: (c) =>
    exclusive(`pg-database-user ${c.input.user}`, async () => {
      const { user } = c.input
      const held = await heldBy(user)
      if (held && !(await thrown(c.actionId, label(user)))) {
        const file = await spooled(`user-${c.actionId}.json`)
        await replace(file, JSON.stringify(held), { mode: 0o600 })
        c.fence()
        await throwMade(c.actionId, file, label(user), kept(c.input))
      }
      c.fence()
      await dropRole(user)
      await notes.drop(KIND, user)
      c.say(held ? `${user} can no longer connect` : `${user} was gone already`)
    }),
  undo: (c) =>
    exclusive(`pg-database-user ${c.input.user}`, async () => {
      const { user } = c.input
      const there = await thrown(c.actionId, label(user))
      const text = there && (await read(there.path))
      if (!there || !text) return c.say(`${user} is not in the trash of this action`)
      const held = JSON.parse(text) as Held // written by run
      const gone = await missing(held.groups)
      c.fence()
      await become(user, { ...held, groups: held.groups.filter((one) => !gone.includes(one)) }, await heldBy(user))
      await takeOut(there)
      c.say(`${user} is back, with its password and rights`)
    }),
  async inspect({ input: { user }, task, actionId }) {
    if (task === 'undo') return (await thrown(actionId, label(user))) ? 'no' : 'yes'
    return (await heldBy(user)) ? 'no' : 'yes'
  },
}

export const restoreUser = restored<'database-user.restore', 'database-user.remove'>(removeUser, (c) =>
  thrown(c.actionId, label(c.input.user)),
)

function refuseReserved({ user }: Pick<User, 'user'>): void {
  if (/^(?:pg_|ik_)/.test(user)) throw new Error(`${user} is a name of the server itself`)
}
