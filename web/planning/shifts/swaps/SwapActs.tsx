import type { Swap } from '@innkeeper/contract/planning/shifts/calls'
import { Button } from '@mantine/core'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { shiftsApi } from '../api.ts'
import { ownShiftTexts } from '../dialogTexts.ts'
import { attemptWarned } from '../planning/warnings.ts'
import { swapText } from './words.ts'

/** Buttons for the actions that the person may take on a swap. */
export function SwapActs({ swap }: { swap: Swap }) {
  const words = ownShiftTexts()
  const { busy, run } = useAct()
  const { id, version, may, from, to } = swap
  const answer = async (accepts: boolean) => {
    const done = await attemptWarned(
      (stopAtWarnings) => shiftsApi.answerSwap({ id, version, accepts, stopAtWarnings: accepts && stopAtWarnings }),
      words.acceptSwap,
    )
    if (!done) return
    const text = done.status === 'accepted' ? words.once : undefined
    toast.success(accepts ? words.youAccept : words.youDecline, text)
  }
  const decide = async (isApproved: boolean) => {
    const done = await attemptWarned(
      (stopAtWarnings) =>
        shiftsApi.decideSwap({ id, version, isApproved, stopAtWarnings: isApproved && stopAtWarnings }),
      words.approveSwap,
    )
    if (done) toast.success(isApproved ? words.swapDone : words.swapRefused, words.bothNotified)
  }
  const withdraw = async () => {
    const sure = await confirm({
      title: words.withdrawTitle(from.userName ?? ''),
      text: words.stay(swapText(swap)),
      verb: words.withdraw,
      danger: true,
    })
    if (sure) await attemptWarned(() => shiftsApi.withdrawSwap({ id, version }), words.withdraw)
  }
  const act = (label: string, work: () => Promise<unknown>, main = false) => (
    <Button size="xs" variant={main ? 'filled' : 'default'} loading={busy} onClick={() => void run(work)}>
      {label}
    </Button>
  )
  return (
    <>
      {may.includes('answer') && to.userId !== null && act(words.decline, () => answer(false))}
      {may.includes('answer') && act(to.userId === null ? words.take : words.accept, () => answer(true), true)}
      {may.includes('withdraw') && act(words.withdraw, withdraw)}
      {may.includes('decide') && act(words.refuse, () => decide(false))}
      {may.includes('decide') && act(words.approve, () => decide(true), true)}
    </>
  )
}
