import type { leaves as contract } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import { alive, fullName, nameOf } from '../../access/users/read.ts'
import { users } from '../../access/users/tables.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { outOfReach } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { yearOf } from '../calendar/days.ts'
import { todayIn } from '../calendar/places.ts'
import { coverageOf } from './days/coverage.ts'
import { readBalances } from './entitlements/balances.ts'
import { findAccount, readEmployees } from './entitlements/employees.ts'
import { changeEmployee } from './entitlements/entitlements.ts'
import { changeType, findType, readTypes } from './entitlements/types.ts'
import { previewWorkingDays, readWorkingDays, setWorkingDays } from './entitlements/workingDays.ts'
import { closeFeeds, openFeed, readFeed, writeCalendar } from './feed/feed.ts'
import { allLeaves, filtered, isOver, pageOfLeaves, waiting } from './list.ts'
import { findPerson } from './people.ts'
import { findApprovers, readApprovers, saveApprovers } from './requests/approvers.ts'
import { askToCancel } from './requests/cancel.ts'
import { sendDocument } from './requests/document.ts'
import { foreseeApprovals, foreseeCancellations } from './requests/foresee.ts'
import { previewLeave, requestLeave } from './requests/request.ts'
import { reviewCancellation, reviewLeave } from './requests/review.ts'
import { findLeave, knowsKinds } from './view.ts'

const FEED = '/api/leave-calendar/feed.ics'

export const leavesHandlers: Handlers<typeof contract> = {
  requests: (input, { db, staff }) => pageOfLeaves(db, staff, input, filtered(input)),

  async ofUser({ id, ...input }, { db, staff }) {
    await findPerson(db, id)
    return pageOfLeaves(db, staff, input, filtered({ ...input, usersIds: [id] }))
  },

  async approvedOf({ id, ...input }, { db, staff }) {
    await findPerson(db, id)
    return pageOfLeaves(db, staff, input, filtered({ usersIds: [id], status: ['approved'] }))
  },

  async upcomingOf({ id, ...input }, { db, staff, now }) {
    const { departmentId } = await findPerson(db, id)
    const from = await todayIn(db, now, departmentId)
    const where = filtered({ usersIds: [id], status: ['approved'], from })
    return pageOfLeaves(db, staff, input, where, { sort: 'startDate', direction: 'ASC' })
  },

  async pending({ kind, mine, ...input }, { db, staff, now }) {
    const where = [...(await waiting(db, staff, now, { kind, mine: mine === 'true' })), ...filtered(input)]
    return pageOfLeaves(db, staff, input, where, { sort: 'createdAt', direction: 'ASC' })
  },

  one: ({ id }, { db, staff, now }) => findLeave(db, staff, id, now),
  document: ({ id }, context) => sendDocument(id, context),
  coverage: async ({ id }, { db, staff, now }) => coverageOf(db, await findLeave(db, staff, id, now)),
  preview: (input, context) => previewLeave(input, context),
  create: (input, context) => requestLeave(input, context),
  review: async (input, context) => (await reviewLeave(input, context)).leave,
  reviewEffects: ({ ids }, context) => foreseeApprovals(ids, context),

  async ofUsers({ usersIds, date }, { db, staff }) {
    if (!usersIds.length) return { items: [], total: 0 }
    const items = await allLeaves(db, staff, filtered({ usersIds, date, status: ['pending', 'approved'] }))
    return { items, total: items.length }
  },

  async archive(input, { db, staff, now }) {
    return pageOfLeaves(db, staff, input, [isOver(await todayIn(db, now)), ...filtered(input)])
  },

  cancel: (input, context) => askToCancel(input, context),
  reviewCancellation: async (input, context) => (await reviewCancellation(input, context)).cancellation,
  cancellationEffects: ({ ids }, context) => foreseeCancellations(ids, context),

  async approvers(_, { db, now }) {
    const items = await readApprovers(db, now)
    return { items, total: items.length }
  },
  approversOf: ({ department }, { db, now }) => findApprovers(db, department, now),
  setApprovers: (input, context) => saveApprovers(input, context),

  async types(_, { db }) {
    const items = await readTypes(db)
    return { items, total: items.length }
  },
  async typesOf({ id, year }, context) {
    const { db, staff, now } = context
    // a balance tells how many days somebody was ill
    if (!(await knowsKinds(db, staff, await findPerson(db, id), now)))
      throw outOfReach('Balances are for the person, the approvers of their leaves, and managers of balances')
    const items = await readBalances(context.db, [id], year ?? (await thisYear(context)))
    return { items, total: items.length }
  },
  async updateType(fields, { db, staff, now, audit }) {
    audit.of('leave-type', fields.id)
    audit.before(await findType(db, fields.id))
    const type = await changeType(db, fields, staff.id, now)
    audit.after(type)
    return type
  },

  async employees({ search, departmentId, year, ...input }, context) {
    const { db } = context
    const where = [alive]
    if (departmentId) where.push(sql`${users.departmentId} = any(${sql.param(departmentId)}::int[])`)
    if (search) where.push(contains(nameOf, search))
    const order = { column: fullName, type: 'text', direction: 'ASC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${users}`, where, key: users.id, order })
    return { items: await readEmployees(db, ids, year ?? (await thisYear(context))), ...page }
  },
  employee: async ({ id, year }, context) => findAccount(context.db, id, year ?? (await thisYear(context))),
  async employeesByIds({ ids, year }, context) {
    const items = await readEmployees(context.db, ids, year ?? (await thisYear(context)))
    return { items, total: items.length }
  },
  updateEmployee: (input, context) => changeEmployee(input, context),

  workingDays: ({ id }, { db }) => readWorkingDays(db, id),
  previewWorkingDays: (input, context) => previewWorkingDays(input, context),
  setWorkingDays: (input, context) => setWorkingDays(input, context),

  feed: (_, { db, staff }) => readFeed(db, staff.id),
  async openFeed(_, { db, staff, audit }) {
    const key = await openFeed(db, staff.id)
    audit.of('leave-feed', staff.id)
    await changed(db, 'leaves')
    return { ...(await readFeed(db, staff.id)), path: `${FEED}?key=${key}` }
  },
  async closeFeed(_, { db, staff, audit }) {
    await closeFeeds(db, [staff.id])
    audit.of('leave-feed', staff.id)
    await changed(db, 'leaves')
  },
  calendar: (asked, { db, now }) => writeCalendar(db, asked, now),
}

const thisYear = async ({ db, now }: Context) => yearOf(await todayIn(db, now))
