import { useQuery } from '@tanstack/react-query'
import { addDays, dayText } from '../../kit/calendar/days.ts'
import { calendarTexts } from '../../kit/calendar/texts.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Block } from '../../kit/home/Block.tsx'
import { BlockRow } from '../../kit/home/BlockRow.tsx'
import { ago } from '../../kit/look/format.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { shiftsApi } from './api.ts'
import { shiftBlockTexts } from './blockTexts.ts'
import { SwapActs } from './swaps/SwapActs.tsx'
import { swapText, waitsFor } from './swaps/words.ts'
import { zoneText } from './words.ts'

/** The person's current and next shifts with their times. */
export default function NextShiftBlock() {
  const words = shiftBlockTexts()
  const now = useNow(60_000)
  const { data, error } = useQuery(shiftsApi.next.query())
  const swaps = useQuery(shiftsApi.swaps.query()).data?.items.filter(waitsFor) ?? []
  const waiting = swaps.length
  const dayOf = (date: string, today: string) =>
    date === today
      ? calendarTexts().today
      : date === addDays(today, 1)
        ? calendarTexts().tomorrow
        : dayText(date, 'long')
  return (
    <Block
      hint={
        waiting ? (
          <LinkTo to="/calendar/shifts" search={{ swaps: 'open' }} fz="xs">
            {words.swapsWait(waiting)}
          </LinkTo>
        ) : undefined
      }
      all={
        <LinkTo to="/calendar/shifts" fz="xs">
          {words.roster}
        </LinkTo>
      }
      error={error}
      rows={
        data && [
          ...swaps.map((swap) => (
            <BlockRow
              key={`swap ${swap.id}`}
              plain
              name={
                swap.to.userName ? words.and(swap.from.userName ?? '', swap.to.userName) : (swap.from.userName ?? '')
              }
              kind={swapText(swap)}
              note={swap.note ?? ''}
              when={ago(swap.updatedAt, now)}
              acts={<SwapActs swap={swap} />}
            />
          )),
          ...data.items.map((shift) => {
            const isOn = Date.parse(shift.startsAt) <= now.getTime()
            return (
              <BlockRow
                key={shift.id}
                plain
                name={dayOf(shift.date, data.today)}
                kind={shift.name}
                note={[
                  isOn && words.until(shift.endTime),
                  !isOn && shift.breakMinutes > 0 && words.withBreak(shift.breakMinutes),
                  zoneText(shift),
                ]
                  .filter(Boolean)
                  .join(', ')}
                when={`${shift.startTime}–${shift.endTime}`}
                state={isOn ? 'begun' : 'pending'}
                stateName={isOn ? words.now : words.planned}
              />
            )
          }),
        ]
      }
      empty={words.noneOfMine}
    />
  )
}
