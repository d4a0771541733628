import { holds } from '@innkeeper/contract/kit/access'
import type { Upload } from '@innkeeper/contract/kit/transfer'
import type { LeavePreview, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, denied, loggedAs, refused, said } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { todayIn } from '../../calendar/places.ts'
import { enter, grantYears, lockBalances } from '../entitlements/ledger.ts'
import { type Person, personOf } from '../people.ts'
import { leaves } from '../tables.ts'
import { kindText, leaveTexts } from '../texts.ts'
import { knowsKinds, logged, readLeaves } from '../view.ts'
import { examine, type Wanted } from './checkRequest.ts'
import { namesOf, readLists } from './deciders.ts'
import { notifyApprovers } from './notify.ts'
import type { Examined } from './problems.ts'

type Asked = Omit<Wanted, 'userId'> & { userId?: number | undefined }
type Sent = Asked & { reason?: string | undefined; document?: Upload | undefined }

/**
 * Stores a request and reserves its half days in each year, all or nothing. Requests of one person run one after
 * another.
 */
export async function requestLeave(sent: Sent, context: Context): Promise<LeaveRequest> {
  const { db, staff, now, audit } = context
  const person = await whose(sent, context)
  await lockBalances(db, person.id)
  const examined = await examine(db, { ...sent, userId: person.id }, now, {
    taking: true,
    isShown: await knowsKinds(db, staff, person, now),
  })
  refuse(examined, sent.document !== undefined)
  const { type, span, counted, years } = examined
  const { document } = sent
  const [made] = await db
    .insert(leaves)
    .values({
      ...span,
      userId: person.id,
      typeId: type.id,
      halves: counted.halves,
      reason: sent.reason || null,
      ...(document && {
        documentKey: document.key,
        documentName: document.name,
        documentType: document.type,
        documentSize: document.size,
        documentSha256: document.sha256,
      }),
      createdBy: staff.id,
    })
    .returning({ id: leaves.id })
  const leaveId = made!.id
  await grantYears(
    db,
    person.id,
    years.map(({ year }) => year),
  )
  // also for types without balance, so that the ledger shows all leave taken
  await enter(
    db,
    years.map(({ year, halves }) => ({
      ...{ userId: person.id, typeId: type.id, year, leaveId },
      kind: 'reserve' as const,
      halves: -halves,
      createdBy: staff.id,
    })),
  )
  const [leave] = await readLeaves(db, staff, [leaveId], now)
  audit.of('leave', leaveId)
  audit.after(logged(leave!))
  await notifyApprovers(db, leave!, now)
  await changed(db, 'leaves', leaveId)
  return leave!
}

/** Returns the effect of a request without storing it. */
export async function previewLeave(asked: Asked, context: Context): Promise<LeavePreview> {
  const { db, now } = context
  const person = await whose(asked, context)
  const isShown = await knowsKinds(db, context.staff, person, now)
  const { type, counted, years, documentNeeded, problems, shifts } = await examine(
    db,
    { ...asked, userId: person.id },
    now,
    { taking: false, isShown },
  )
  const lists = await readLists(db, await todayIn(db, now))
  const deciders = lists.decidersOf({ userId: person.id, departmentId: person.departmentId })
  return {
    days: counted.halves / 2,
    years: years.map(({ year, halves, left }) => ({
      year,
      days: halves / 2,
      ...(left === null || !isShown ? { before: null, after: null } : { before: left / 2, after: (left - halves) / 2 }),
    })),
    holidays: type.countsEveryDay ? [] : counted.holidays,
    weekend: counted.weekend,
    shifts,
    approvers: await namesOf(db, deciders ?? []),
    documentNeeded,
    problems,
  }
}

/** The person of the request: the caller, or with the permission another person. */
async function whose({ userId }: Asked, { db, staff }: Context): Promise<Person> {
  const other = userId !== undefined && userId !== staff.id
  if (other && !holds(staff, 'calendar:employee:update')) throw denied(['calendar:employee:update'])
  const person = await personOf(db, userId ?? staff.id)
  if (!person) throw said(() => refused(leaveTexts().noPerson, { userId: leaveTexts().noPerson }))
  return person
}

function refuse({ problems, documentNeeded, clash, type }: Examined, hasDocument: boolean): void {
  const all =
    documentNeeded && !hasDocument
      ? {
          ...problems,
          document: leaveTexts().needsDocument(kindText(type.code, type.name), type.documentFromDays ?? 0),
        }
      : problems
  const [first] = Object.values(all)
  if (first === undefined) return
  const error = clash ? conflict(first, { current: clash, fields: all }) : refused(Object.values(all).join('\n'), all)
  throw loggedAs(error, `The leave cannot be taken: ${Object.keys(all).join(', ')}`) // the texts name balances and kinds
}
