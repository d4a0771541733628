import { holds } from '@innkeeper/contract/kit/access'
import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../kit/access/session.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Block } from '../../kit/home/Block.tsx'
import { BlockRow } from '../../kit/home/BlockRow.tsx'
import { leavesApi } from './api.ts'
import { DecideButtons } from './requests/DecideButtons.tsx'
import { absenceTexts } from './texts.ts'
import { daysWords, kindWords, partWords, rangeWords, stateOfLeave } from './words.ts'

const SHOWN = 20

/** Leaves that wait for this person's decision, then this person's own approved leaves. */
export default function LeavesBlock() {
  const user = useSession()
  const words = absenceTexts()
  const decides = holds(user, 'calendar:leave:read')
  const waiting = useQuery({ ...leavesApi.pending.query({ mine: 'true', itemsPerPage: SHOWN }), enabled: decides })
  const own = useQuery(leavesApi.upcomingOf.query({ id: user.id, itemsPerPage: SHOWN }))
  const toDecide = decides ? waiting.data?.items : []
  const count = waiting.data?.total ?? 0
  return (
    <Block
      hint={count ? words.waits(count) : undefined}
      all={
        <LinkTo to="/leaves/my" fz="xs">
          {words.mine}
        </LinkTo>
      }
      error={own.error ?? waiting.error}
      rows={
        own.data &&
        toDecide && [
          ...toDecide.map((leave) => (
            <Row key={leave.id} leave={leave} to={`/leaves/all?leave=${leave.id}`} name={leave.userName} waits />
          )),
          ...own.data.items.map((leave) => (
            <Row key={`own ${leave.id}`} leave={leave} to={`/leaves/my?leave=${leave.id}`} name={rangeWords(leave)} />
          )),
        ]
      }
      empty={words.blockEmpty}
    />
  )
}

const Row = ({ leave, to, name, waits }: { leave: LeaveRequest; to: string; name: string; waits?: true }) => (
  <BlockRow
    to={to}
    plain
    name={name}
    kind={waits ? `${rangeWords(leave)}, ${kindWords(leave)}` : kindWords(leave)}
    note={waits ? '' : partWords(leave)}
    when={daysWords(leave.days)}
    {...(waits
      ? { acts: <DecideButtons leave={leave} /> }
      : { state: leave.status, stateName: stateOfLeave(leave).label })}
  />
)
