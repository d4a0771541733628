import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm, errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { leavesApi } from '../api.ts'
import { daysWords, rangeWords } from '../words.ts'
import { effectsOf } from './effects.ts'

interface Decision {
  isApproved: boolean
  comment: string
}

const isRequest = ({ status }: LeaveRequest): boolean => status === 'pending'

/** The call that decides this leave: of its request, or of its cancellation. */
export const decisionCall = (leave: LeaveRequest) =>
  isRequest(leave) ? leavesApi.review : leavesApi.reviewCancellation

/** The verbs of a decision. */
export const decisionActs = (leave: LeaveRequest) =>
  isRequest(leave) ? { yes: 'Approve leave', no: 'Reject' } : { yes: 'Cancel the leave', no: 'Keep the leave' }

/** Decides a request or its cancellation. */
export async function sendDecision(leave: LeaveRequest, { isApproved, comment }: Decision): Promise<unknown> {
  const { id, version, cancellation } = leave
  if (isRequest(leave)) return leavesApi.review({ id, isApproved, comment, version })
  if (!cancellation) throw new Error('Nothing waits for a decision')
  return leavesApi.reviewCancellation({ id: cancellation.id, isApproved, comment, version: cancellation.version })
}

/** Decides, and says so. Answers false if another approver was first, whose decision the screen then shows. */
export async function decide(leave: LeaveRequest, decision: Decision): Promise<boolean> {
  try {
    await sendDecision(leave, decision)
    toast.success(done(isRequest(leave), decision.isApproved), `${leave.userName}, ${rangeWords(leave)}`)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) toast.warning('Decided already', error.message)
    else void errorDialog(error)
    return false
  } finally {
    void readAgain(['leaves'])
  }
}

/** Asks before the decision, with a comment that the person reads; an approval says first what it does to the plan. */
export async function askAndDecide(leave: LeaveRequest, isApproved: boolean): Promise<void> {
  try {
    await ask(leave, isApproved, isApproved ? await effectsOf([leave]) : [])
  } catch (error) {
    void errorDialog(error)
  }
}

async function ask(leave: LeaveRequest, isApproved: boolean, effects: readonly string[]): Promise<void> {
  const { yes, no } = decisionActs(leave)
  const { userName, typeName, days } = leave
  const verb = isApproved ? yes : no
  const answer = await confirm({
    title: `${isRequest(leave) ? (isApproved ? 'Approve' : 'Reject') : isApproved ? 'Cancel' : 'Keep'} the leave of ${userName}?`,
    text: [`${typeName}, ${rangeWords(leave)}, ${daysWords(days)}.`, ...effects].join('\n'),
    verb,
    danger: !isApproved && isRequest(leave),
    reason: { label: `Comment, which ${userName} reads` },
  })
  if (answer) await decide(leave, { isApproved, comment: answer.reason })
}

const done = (ofRequest: boolean, isApproved: boolean): string =>
  ofRequest
    ? `The leave is ${isApproved ? 'approved' : 'rejected'}`
    : `The leave is ${isApproved ? 'cancelled' : 'kept'}`
