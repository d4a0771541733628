import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import type { BulkAct } from '../../kit/list/BulkModal.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { leavesApi } from './api.ts'
import { askAndDecide, decisionActs, decisionCall, sendDecision } from './requests/decide.ts'
import { effectsOf } from './requests/effects.ts'
import { rangeWords } from './words.ts'

const OTHERS = 'Another approver decides this leave'
/** As many as one call tries. */
const MOST_TRIED = 20
const MANY = `Their shifts on these days become free. Choose ${MOST_TRIED} leaves at most to read which.`

/** The menu of a waiting leave. */
export function WaitingActs({ leave }: { leave: LeaveRequest }) {
  const lacks = useReason()(decisionCall(leave)) ?? (leave.mayReview ? undefined : OTHERS)
  const { yes, no } = decisionActs(leave)
  const reason = lacks === undefined ? {} : { reason: lacks }
  return (
    <>
      <MenuAction
        label={`${yes}…`}
        icon={<IconCheck size={15} />}
        {...reason}
        onClick={() => void askAndDecide(leave, true)}
      />
      <MenuAction
        label={`${no}…`}
        icon={<IconX size={15} />}
        {...reason}
        onClick={() => void askAndDecide(leave, false)}
      />
    </>
  )
}

interface BulkProps {
  rows: readonly LeaveRequest[]
  ask: (act: BulkAct<LeaveRequest>) => void
}

/** Decides the selected requests. Cancelled requests and requests that other people decide stay unchanged; the result counts them. */
export function WaitingBulk({ rows, ask }: BulkProps) {
  const mine = rows.filter(({ status, mayReview }) => status === 'pending' && mayReview)
  const lacks =
    useReason()(leavesApi.review) ?? (mine.length ? undefined : 'None of these is a request for you to decide')
  const { busy, run } = useAct()
  const all = counted(mine.length, ['leave', 'leaves'])
  const left = rows.length - mine.length
  const act = async (isApproved: boolean) => {
    const isTried = isApproved && mine.length <= MOST_TRIED
    const effects = isTried ? await effectsOf(mine) : isApproved ? [MANY] : []
    ask({
      title: `${isApproved ? 'Approve' : 'Reject'} ${all}?`,
      text: [
        [
          !isApproved && 'The reserved days go back to their balances.',
          'Everybody is notified.',
          left > 0 &&
            `${counted(left, ['entry is', 'entries are'])} skipped: cancellations, or requests that others decide.`,
        ]
          .filter(Boolean)
          .join(' '),
        ...effects,
      ].join('\n'),
      verb: isApproved ? 'Approve leaves' : 'Reject leaves',
      rows: mine,
      name: (leave) => ({ id: leave.id, name: `${leave.userName}, ${rangeWords(leave)}` }),
      act: (leave) => sendDecision(leave, { isApproved, comment: '' }),
      domains: ['leaves'],
    })
  }
  return (
    <>
      <ActButton size="xs" variant="default" reason={lacks} loading={busy} onClick={() => void run(() => act(true))}>
        Approve…
      </ActButton>
      <ActButton size="xs" variant="default" reason={lacks} onClick={() => void run(() => act(false))}>
        Reject…
      </ActButton>
    </>
  )
}
