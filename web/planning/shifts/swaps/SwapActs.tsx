import type { Swap } from '@innkeeper/contract/planning/shifts/calls'
import { Button } from '@mantine/core'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { shiftsApi } from '../api.ts'
import { attemptWarned } from '../planning/warnings.ts'
import { swapText } from './words.ts'

/** Buttons for the actions that the person may take on a swap. */
export function SwapActs({ swap }: { swap: Swap }) {
  const { busy, run } = useAct()
  const { id, version, may, from, to } = swap
  const answer = async (accepts: boolean) => {
    const done = await attemptWarned(
      (stopAtWarnings) => shiftsApi.answerSwap({ id, version, accepts, stopAtWarnings: accepts && stopAtWarnings }),
      'Accept swap',
    )
    if (!done) return
    const text = done.status === 'accepted' ? 'Once a planner approves the swap, the shifts are exchanged.' : undefined
    toast.success(accepts ? 'You accept the swap' : 'You decline the swap', text)
  }
  const decide = async (isApproved: boolean) => {
    const done = await attemptWarned(
      (stopAtWarnings) =>
        shiftsApi.decideSwap({ id, version, isApproved, stopAtWarnings: isApproved && stopAtWarnings }),
      'Approve swap',
    )
    if (done) toast.success(isApproved ? 'The swap is done' : 'The swap is refused', 'Both people are notified.')
  }
  const withdraw = async () => {
    const sure = await confirm({
      title: `Withdraw the swap of ${from.userName}?`,
      text: `${swapText(swap)}. The shifts stay with their people.`,
      verb: 'Withdraw',
      danger: true,
    })
    if (sure) await attemptWarned(() => shiftsApi.withdrawSwap({ id, version }), 'Withdraw')
  }
  const act = (label: string, work: () => Promise<unknown>, main = false) => (
    <Button size="xs" variant={main ? 'filled' : 'default'} loading={busy} onClick={() => void run(work)}>
      {label}
    </Button>
  )
  return (
    <>
      {may.includes('answer') && to.userId !== null && act('Decline', () => answer(false))}
      {may.includes('answer') && act(to.userId === null ? 'Take shift' : 'Accept', () => answer(true), true)}
      {may.includes('withdraw') && act('Withdraw', withdraw)}
      {may.includes('decide') && act('Refuse', () => decide(false))}
      {may.includes('decide') && act('Approve', () => decide(true), true)}
    </>
  )
}
