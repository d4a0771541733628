import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { Group } from '@mantine/core'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { leavesApi } from '../api.ts'
import { rangeWords } from '../words.ts'

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
  const ask = async () => {
    const answer = await confirm({
      title: isRequest ? 'Withdraw this request?' : 'Ask to cancel this leave?',
      text: `${leave.typeName}, ${rangeWords(leave)}. ${isRequest ? 'The request ends at once, and its days are returned.' : 'Your approver decides; until then it stays valid.'}`,
      verb: isRequest ? 'Withdraw request' : 'Ask to cancel',
      danger: isRequest,
      reason: { label: 'Reason' },
    })
    if (!answer) return
    const made = await attempt(() => leavesApi.cancel({ requestId: leave.id, reason: answer.reason }), ['leaves'])
    if (made) toast.success(isRequest ? 'The request is withdrawn' : 'Your approver is asked')
  }
  return (
    <Group justify="flex-end">
      <ActButton variant="default" reason={lacking} onClick={() => void ask()}>
        {isRequest ? 'Withdraw request…' : 'Ask to cancel…'}
      </ActButton>
    </Group>
  )
}
