import * as z from 'zod'
import { del, get, id, line, patch, post, version, whole } from '../../kit/endpoint.ts'
import { Outcome, ShiftWish, Swap } from './shapes.ts'
import { shiftDay, wishKinds } from './values.ts'

const base = '/calendar/shifts'
const PLAN = 'calendar:shift:create'
const flag = z.union([z.boolean(), z.stringbool()])
const stopAtWarnings = flag.default(false)

/** Calls about swaps of shifts and wishes for shifts. */
export const swapCalls = {
  exchange: post(`${base}/exchange`, PLAN, {
    summary: 'Exchange the people of two shifts at once; 409 if one of the shifts changed',
    status: 200,
    body: { id, version, otherId: id, otherVersion: version, stopAtWarnings },
    returns: Outcome,
  }),
  swaps: get(`${base}/swaps`, 'signedIn', {
    summary: 'Open swaps and those of the last 30 days: the caller’s own, or for planners everybody’s',
    returns: z.object({ items: z.array(Swap), total: z.int() }),
  }),
  offerSwap: post(`${base}/swaps`, 'signedIn', {
    summary:
      'Offer a shift of one’s own to a colleague, for a shift of the colleague or for nothing; or, with `userId` null, to everybody of the department who may take the shift: the first to accept has the shift',
    body: {
      shiftId: id,
      userId: id.nullable(),
      otherShiftId: id.nullable().default(null),
      note: line(300).optional(),
      stopAtWarnings,
    },
    returns: Swap,
  }),
  answerSwap: post(`${base}/swaps/:id/answer`, 'signedIn', {
    summary: 'Accept or decline a swap that is offered to the caller; an offer to everybody can only be accepted',
    params: { id },
    status: 200,
    body: { version, accepts: flag, message: line(300).optional(), stopAtWarnings },
    returns: Swap,
  }),
  withdrawSwap: post(`${base}/swaps/:id/withdraw`, 'signedIn', {
    summary: 'Withdraw an offered or accepted swap of the caller',
    params: { id },
    status: 200,
    body: { version },
    returns: Swap,
  }),
  decideSwap: patch(`${base}/swaps/:id`, PLAN, {
    summary: 'Approve or refuse an accepted swap',
    params: { id },
    body: { version, isApproved: flag, message: line(300).optional(), stopAtWarnings },
    returns: Swap,
  }),

  wishes: get(`${base}/wishes`, 'signedIn', {
    summary: 'Wishes of the caller from today on',
    returns: z.object({ items: z.array(ShiftWish), total: z.int() }),
  }),
  addWish: post(`${base}/wishes`, 'signedIn', {
    summary: 'Add a wish of the caller: days on which the caller cannot work, would rather not, or likes to',
    body: {
      kind: z.enum(wishKinds),
      from: shiftDay,
      to: shiftDay,
      weekdays: z.array(whole(1, 7)).max(7).default([]),
      shiftTypeId: id.nullable().default(null),
      note: line(200).optional(),
    },
    returns: ShiftWish,
  }),
  removeWish: del(`${base}/wishes`, 'signedIn', {
    summary: 'Delete a wish of the caller',
    body: { id, version },
    status: 204,
    aliases: [`${base}/wishes/:id`],
  }),
}
