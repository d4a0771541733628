import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { useReason } from '../../../kit/access/reasons.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { askAndDecide, decisionCall } from './decide.ts'

/** Decides a leave from the home screen, after a question. */
export function DecideButtons({ leave }: { leave: LeaveRequest }) {
  const reason = useReason()(decisionCall(leave))
  const { userName } = leave
  const [yes, no] = leave.status === 'pending' ? ['Approve', 'Reject'] : ['Cancel it', 'Keep it']
  return (
    <>
      <ActButton
        size="xs"
        variant="default"
        reason={reason}
        aria-label={`${no}: leave of ${userName}`}
        onClick={() => void askAndDecide(leave, false)}
      >
        {no}
      </ActButton>
      <ActButton
        size="xs"
        variant="light"
        reason={reason}
        aria-label={`${yes}: leave of ${userName}`}
        onClick={() => void askAndDecide(leave, true)}
      >
        {yes}
      </ActButton>
    </>
  )
}
