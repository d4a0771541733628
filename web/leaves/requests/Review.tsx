import type { LeaveRequest } from '@innkeeper/contract/leaves'
import { Alert, Button, Group, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { errorDialog } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { leavesApi } from '../api.ts'
import { rangeWords } from '../words.ts'

/** Approves or rejects a request or its cancellation. If another approver was first, shows that decision. */
export function Review({ leave, close }: { leave: LeaveRequest; close: () => void }) {
  const lacking = useReason()
  const [comment, setComment] = useState('')
  const [busy, setBusy] = useState<'yes' | 'no'>()
  const { cancellation } = leave
  const isRequest = leave.status === 'pending'
  const call = isRequest ? leavesApi.review : leavesApi.reviewCancellation

  const decide = async (isApproved: boolean) => {
    setBusy(isApproved ? 'yes' : 'no')
    try {
      if (isRequest) await leavesApi.review({ id: leave.id, isApproved, comment, version: leave.version })
      else if (cancellation)
        await leavesApi.reviewCancellation({ id: cancellation.id, isApproved, comment, version: cancellation.version })
      toast.success(done(isRequest, isApproved), `${leave.userName}, ${rangeWords(leave)}`)
      close()
    } catch (error) {
      // another approver was first: the drawer shows the decision
      if (error instanceof ApiError && error.status === 409) toast.warning('Decided already', error.message)
      else void errorDialog(error)
    } finally {
      setBusy(undefined)
      void readAgain(['leaves'])
    }
  }
  const acts = isRequest ? { yes: 'Approve leave', no: 'Reject' } : { yes: 'Cancel the leave', no: 'Keep the leave' }
  return (
    <Stack gap={12}>
      {!isRequest && (
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
        <Button variant="default" loading={busy === 'no'} disabled={busy === 'yes'} onClick={() => void decide(false)}>
          {acts.no}
        </Button>
        <ActButton
          reason={lacking(call)}
          loading={busy === 'yes'}
          disabled={busy === 'no'}
          onClick={() => void decide(true)}
        >
          {acts.yes}
        </ActButton>
      </Group>
    </Stack>
  )
}

const done = (isRequest: boolean, isApproved: boolean): string =>
  isRequest
    ? `The leave is ${isApproved ? 'approved' : 'rejected'}`
    : `The leave is ${isApproved ? 'cancelled' : 'kept'}`
