import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { Alert, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { decide, decisionActs, decisionCall } from './decide.ts'

/** Approves or rejects a request or its cancellation. If another approver was first, shows that decision. */
export function Review({ leave, close }: { leave: LeaveRequest; close: () => void }) {
  const lacking = useReason()
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState<'yes' | 'no'>()
  const { cancellation } = leave
  const send = async (isApproved: boolean) => {
    setBusy(isApproved ? 'yes' : 'no')
    const isDone = await decide(leave, { isApproved, comment })
    setBusy(undefined)
    if (isDone) close()
  }
  const acts = decisionActs(leave)
  return (
    <Stack gap={12}>
      {leave.status !== 'pending' && (
        <Alert color="warning" p="10px 14px" title={`${leave.userName} asks to cancel this leave`}>
          {cancellation?.reason ?? 'No reason is given.'}
        </Alert>
      )}
      <Textarea
        label="Comment"
        description={`${leave.userName} reads it`}
        autosize
        minRows={2}
        maxLength={500}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      <Group gap={8} justify="flex-end">
        <ActButton
          variant="default"
          loading={busy === 'no'}
          reason={busy === 'yes' ? 'Your answer is being sent.' : undefined}
          onClick={() => void send(false)}
        >
          {acts.no}
        </ActButton>
        <ActButton
          reason={lacking(decisionCall(leave)) ?? (busy === 'no' ? 'Your answer is being sent.' : undefined)}
          loading={busy === 'yes'}
          onClick={() => void send(true)}
        >
          {acts.yes}
        </ActButton>
      </Group>
    </Stack>
  )
}
