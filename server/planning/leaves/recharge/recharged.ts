import type { LeavePart } from '@innkeeper/contract/planning/leaves/values'

/** A pending or approved leave with what it costs by the present rules. */
export interface Charge {
  id: number
  userId: number
  userName: string
  departmentId: number | null
  typeId: number
  startDate: string
  endDate: string
  startPart: LeavePart
  endPart: LeavePart
  status: 'pending' | 'approved'
  reviewedBy: number | null
  halves: number
  years: ReadonlyMap<number, number>
}

/** A leave that costs something else after a change of the rules. */
export interface Recharged extends Charge {
  /** Half days before the change. */
  before: number
  yearsBefore: ReadonlyMap<number, number>
}

/** What approvers and planners read of a leave that is charged anew. */
export type Retold = Pick<
  Recharged,
  'id' | 'userId' | 'userName' | 'departmentId' | 'reviewedBy' | 'startDate' | 'endDate' | 'halves' | 'before'
>

export const retoldOf = (leave: Recharged): Retold => {
  const { id, userId, userName, departmentId, reviewedBy, startDate, endDate, halves, before } = leave
  return { id, userId, userName, departmentId, reviewedBy, startDate, endDate, halves, before }
}

/** Why leaves cost something else. A function answers it in the language of the reader. */
export type Why = string | (() => string)
export const whyText = (why: Why): string => (typeof why === 'string' ? why : why())
