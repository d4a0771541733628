import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { Group } from '@mantine/core'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { leavesApi } from '../api.ts'
import { leaveTexts } from '../texts.ts'
import { kindWords, rangeWords } from '../words.ts'

/**
 * Button that withdraws a request or requests the cancellation of an approved leave. Renders nothing where neither is
 * possible.
 */
export function Cancel({ leave }: { leave: LeaveRequest }) {
  const { id: own } = useSession()
  const lacking = useReason()(leavesApi.cancel)
  const isWaiting = leave.cancellation?.status === 'pending'
  if (leave.userId !== own || isWaiting || leave.status === 'rejected' || leave.status === 'cancelled') return null
  const isRequest = leave.status === 'pending'
  const words = leaveTexts()
  const ask = async () => {
    const answer = await confirm({
      title: isRequest ? words.withdrawTitle : words.cancelTitle,
      text: `${kindWords(leave)}, ${rangeWords(leave)}. ${isRequest ? words.withdrawText : words.cancelText}`,
      verb: isRequest ? words.withdraw : words.askToCancel,
      danger: isRequest,
      reason: { label: words.reason },
    })
    if (!answer) return
    const made = await attempt(() => leavesApi.cancel({ requestId: leave.id, reason: answer.reason }), ['leaves'])
    if (made) toast.success(isRequest ? words.withdrawn : words.approverAsked)
  }
  return (
    <Group justify="flex-end">
      <ActButton variant="default" reason={lacking} onClick={() => void ask()}>
        {`${isRequest ? words.withdraw : words.askToCancel}…`}
      </ActButton>
    </Group>
  )
}
