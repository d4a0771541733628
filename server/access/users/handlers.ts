import type { users as contract } from '@innkeeper/contract/access/users/calls'
import type { Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { notifyOfFlag, notifyOfMove } from '../rights/notices.ts'
import { mayActOn } from '../rights/reach.ts'
import { keepAnAdministrator, mayMakeAdministrators, removeInTurn, rightsChanged } from '../rights/rights.ts'
import { checkBelongs, checkFree } from './checks.ts'
import { holdingsOf } from './holdings.ts'
import { removeUser } from './leave.ts'
import { userLists } from './list.ts'
import { readUser } from './read.ts'
import { signInHandlers } from './signIn/handlers.ts'
import { makeLink } from './signIn/links.ts'
import { hashPassword, strong } from './signIn/passwords.ts'
import { users } from './tables.ts'
import { findUser, letInBy, writeUser } from './write.ts'

export const usersHandlers: Omit<Handlers<typeof contract>, 'dropSecondFactor'> = {
  ...userLists,
  ...signInHandlers,

  one: ({ id }, { db }) => readUser(db, id),

  async create({ password, ...fields }, context) {
    const { db, staff, audit } = context
    if (fields.isAdmin) mayMakeAdministrators(staff)
    await checkFree(db, fields)
    await checkBelongs(context, fields)
    if (password) strong(password, 'password', { ...fields, name: `${fields.firstName} ${fields.lastName}` })
    const [made] = await db
      .insert(users)
      .values({
        ...fields,
        createdBy: staff.id,
        passwordHash: password ? await hashPassword(password) : '',
        mustChangePassword: password !== undefined,
        ...(password !== undefined && letInBy(staff.id)),
      })
      .returning({ id: users.id })
    const user = await readUser(db, made!.id)
    audit.after(user)
    await changed(db, 'users', user.id)
    return password ? user : { ...user, link: await makeLink(db, user.id, staff.id) }
  },

  async update({ id, version, userData, ...flat }, context) {
    const { db, staff, app, now } = context
    const fields = Object.fromEntries(
      Object.entries({ ...flat, ...userData }).filter(([, value]) => value !== undefined),
    ) as typeof flat // the same fields without undefined values
    if (fields.isAdmin === false) await removeInTurn(db)
    const change = async () => {
      const before = await findUser(context, id, version)
      await mayActOn(db, staff, { ids: [id] })
      if (fields.isAdmin !== undefined && fields.isAdmin !== before.isAdmin) {
        mayMakeAdministrators(staff)
        if (!fields.isAdmin) await keepAnAdministrator(db, id)
      }
      await checkFree(db, fields, id)
      await checkBelongs(context, fields, before)
      const user = await writeUser(context, id, fields)
      await rightsChanged(app, db, staff, { ids: [id] })
      if (user.roleId !== before.roleId) await notifyOfMove(app, db, staff, [id], user.roleName)
      if (user.isAdmin !== before.isAdmin) await notifyOfFlag(app, db, staff, id, user.isAdmin)
      return user
    }
    return fields.departmentId === undefined
      ? change()
      : app.changeDepartment(db, { userIds: [id], by: staff, now }, change)
  },

  async remove({ id, heir, version }, context) {
    const { db, staff, audit } = context
    await removeInTurn(db)
    const user = await findUser(context, id, version)
    if (id === staff.id) throw refused('Nobody deletes their own account')
    await mayActOn(db, staff, { ids: [id] })
    await removeUser(context, user, heir)
    audit.of('user', id)
  },

  async holdings({ id }, { db, app }) {
    await readUser(db, id)
    const items = await holdingsOf(app, db, id)
    return { items, total: items.length }
  },
}
