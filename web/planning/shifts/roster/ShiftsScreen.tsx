import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Select, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { DayList } from '../../../kit/calendar/DayList.tsx'
import { addDays, today } from '../../../kit/calendar/days.ts'
import type { Place } from '../../../kit/calendar/items.ts'
import { LaneGrid, type Picked } from '../../../kit/calendar/LaneGrid.tsx'
import { PeriodBar } from '../../../kit/calendar/PeriodBar.tsx'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { counted } from '../../../kit/look/format.ts'
import { useNow } from '../../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import { publishedOf, shownDrafts } from '../planning/drafts.ts'
import { usePlanning } from '../planning/usePlanning.ts'
import css from '../shifts.module.css'
import { metBy, swappable } from '../swaps/swappable.ts'
import { itemsByPerson, peopleOf, type ShiftItem } from './items.ts'
import { lanesOf, personOf } from './lanes.tsx'
import { obstacleTo } from './obstacles.ts'
import { RosterFooter } from './RosterFooter.tsx'
import { ShiftActions } from './ShiftActions.tsx'
import { ShiftLegend } from './ShiftLegend.tsx'
import { useCoverage } from './useCoverage.tsx'
import { useRoster } from './useRoster.ts'

const AddShift = lazyDialog(() => import('./AddShift.tsx'))
const CopyModal = lazyDialog(() => import('../planning/CopyModal.tsx'))
const EditShift = lazyDialog(() => import('./EditShift.tsx'))
const PlanModal = lazyDialog(() => import('../planning/PlanModal.tsx'))
const PrintRoster = lazyDialog(() => import('./PrintRoster.tsx'))
const OfferSwap = lazyDialog(() => import('../swaps/OfferSwap.tsx'))
const ShiftInfo = lazyDialog(() => import('./ShiftInfo.tsx'))
const SwapsModal = lazyDialog(() => import('../swaps/SwapsModal.tsx'))
const WishesModal = lazyDialog(() => import('../wishes/WishesModal.tsx'))

type Open =
  | { what: 'add'; date?: string; userId?: number }
  | { what: 'plan'; picked: Picked }
  | { what: 'shift'; item: ShiftItem }
  | { what: 'copy' }
  | { what: 'print' }
  | { what: 'wishes' }
  | { what: 'offer'; shift: Shift; userId?: number; otherShiftId?: number }

const wide = 'Everybody'

/** Roster of a month or week, by department or by shift team. */
export default function ShiftsScreen() {
  const shown = useRoster()
  const { view, days, from, now, department, who, mine, set } = shown
  const me = useSession().id
  const lacking = useReason()
  const mayPlan = lacking(shiftsApi.create) === undefined
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [open, setOpen] = useState<Open>()
  const close = useCallback(() => setOpen(undefined), [])
  const roster = shown.roster.data
  const teams = useQuery({
    ...shiftsApi.teams.query({ date: from }),
    enabled: view === 'team' && !lacking(shiftsApi.teams),
  })

  const departments = [...new Set(roster?.people.flatMap(({ departmentName }) => departmentName ?? []))].sort()
  const departmentId =
    roster?.people.find(({ departmentName }) => departmentName === department)?.departmentId ?? undefined
  const people = useMemo(
    () =>
      peopleOf(roster, departmentId).filter(
        (person) => (!mine || person.id === me) && person.name.toLowerCase().includes(who.trim().toLowerCase()),
      ),
    [roster, departmentId, who, mine, me],
  )
  const clock = useNow(60_000)
  const items = useMemo(
    () =>
      roster
        ? itemsByPerson(roster, mayPlan, (shift) => shift.userId === me && swappable(shift, clock))
        : new Map<number | null, ShiftItem[]>(),
    [roster, mayPlan, me, clock],
  )
  const lanes = useMemo(
    () =>
      lanesOf({
        people,
        items,
        notes: roster?.notes ?? [],
        me,
        from,
        teams: view === 'team' ? teams.data?.items : undefined,
      }),
    [people, items, roster, me, from, view, teams.data],
  )
  const place = roster?.places.find((one) => one.departmentId === departmentId) ?? roster
  const marked = useMemo(() => new Map(place?.holidays.map(({ date, name }) => [date, name])), [place])
  const tops = useCoverage({ from, to: shown.to, departmentId, days, compact: view === 'month' })
  const planning = usePlanning()
  /** Planners move shifts, or exchange two; others offer a swap of their own shift. */
  const move = (item: ShiftItem, place: Place & { lane: string }) => {
    const userId = personOf(place.lane)
    const { shift } = item
    if (!roster || !shift) return
    const other =
      userId !== undefined && userId !== shift.userId
        ? metBy(roster.shifts, shift, userId, place.from, clock)
        : undefined
    if (!mayPlan) {
      if (userId !== undefined && userId !== me)
        setOpen({ what: 'offer', shift, userId, ...(other && { otherShiftId: other.id }) })
    } else if (other && shift.userId !== null && swappable(shift, clock)) void planning.exchange(shift, other)
    else planning.move(item, place)
  }
  const drafts = shownDrafts(roster?.shifts ?? [], people, from)
  const openItem = (item: ShiftItem) => item.shift && setOpen({ what: 'shift', item })

  return (
    <Screen
      scroll={false}
      query={shown.roster}
      count={
        roster && `${departmentId === undefined ? wide : department}, ${counted(people.length, ['person', 'people'])}`
      }
      actions={
        <ShiftActions
          view={view}
          setView={(next) => set({ view: next })}
          drafts={drafts.length}
          publish={() =>
            void planning.publish(from, shown.to, publishedOf(drafts, Boolean(department || who.trim() || mine)))
          }
          add={() => setOpen({ what: 'add' })}
          copy={() => setOpen({ what: 'copy' })}
          print={() => setOpen({ what: 'print' })}
          swaps={() => set({ swaps: 'open' })}
          wishes={() => setOpen({ what: 'wishes' })}
        />
      }
    >
      <PeriodBar
        label={shown.label}
        unit={view === 'month' ? 'month' : 'week'}
        isNow={days.includes(now)}
        onTurn={shown.turn}
        onToday={() => set({ day: today() })}
      >
        <div className={css.filters}>
          <TextInput
            aria-label="Find people"
            placeholder="Find people"
            size="xs"
            w={140}
            value={who}
            onChange={(event) => set({ who: event.currentTarget.value })}
          />
          {(departments.length > 1 || !roster) && (
            <Select
              aria-label="Department"
              size="xs"
              w={150}
              placeholder={wide}
              clearable
              data={departments}
              value={department ?? null}
              onChange={(next) => set({ department: next ?? '' })}
            />
          )}
          <Button
            size="xs"
            variant={mine ? 'light' : 'default'}
            aria-pressed={mine}
            onClick={() => set({ mine: mine ? '' : 'true' })}
          >
            Only mine
          </Button>
          <ShiftLegend />
        </div>
      </PeriodBar>
      {phone ? (
        <DayList
          label={`Shifts, ${shown.label}`}
          days={days}
          items={lanes.filter(({ id }) => !mine || id !== 'open').flatMap((lane) => lane.items)}
          today={now}
          marked={marked}
          whose={({ userId }) => people.find(({ id }) => id === userId)?.name ?? 'Open'}
          onOpen={openItem}
          add={mayPlan ? { title: 'Add shift', onPick: (date) => setOpen({ what: 'add', date }) } : undefined}
        />
      ) : (
        <LaneGrid
          key={view}
          label={`Shifts, ${shown.label}`}
          days={days}
          lanes={lanes}
          today={now}
          scale={view === 'month' ? 'day' : 'time'}
          marked={marked}
          weekend={place?.weekend}
          tops={tops}
          endTitle="Hours"
          onTurn={shown.turn}
          onOpen={openItem}
          onMove={move}
          obstacle={(item, place) =>
            roster && item.shift && obstacleTo(roster, item.shift, personOf(place.lane), place, clock)
          }
          {...(mayPlan && {
            onPick: (picked: Picked) => setOpen({ what: 'plan', picked }),
            ...(view !== 'month' && { onResize: planning.resize }),
            onRemove: (shifts: Parameters<typeof planning.remove>[0]) => void planning.remove(shifts),
          })}
          empty={
            <EmptyState title="Nobody found" tag="SH">
              {who || department ? 'No name here matches.' : 'Nobody works in your department yet.'}
            </EmptyState>
          }
        />
      )}
      {roster && <RosterFooter from={from} to={shown.to} closed={roster.closedMonths.length > 0} mayPlan={mayPlan} />}
      {open?.what === 'add' && roster && (
        <AddShift roster={roster} date={open.date ?? (days.includes(now) ? addDays(now, 1) : from)} close={close} />
      )}
      {open?.what === 'offer' && roster && (
        <OfferSwap
          shift={open.shift}
          roster={roster}
          userId={open.userId}
          otherShiftId={open.otherShiftId}
          close={close}
        />
      )}
      {open?.what === 'wishes' && <WishesModal day={days.includes(now) ? addDays(now, 1) : from} close={close} />}
      {shown.swaps && <SwapsModal close={() => set({ swaps: '' })} />}
      {open?.what === 'print' && roster && (
        <PrintRoster
          title={`Shifts, ${shown.label}, ${department ?? wide}`}
          {...{ days, lanes, marked }}
          weekend={place?.weekend ?? []}
          done={close}
        />
      )}
      {open?.what === 'plan' && roster && <PlanModal roster={roster} picked={open.picked} close={close} />}
      {open?.what === 'copy' && <CopyModal from={from} to={shown.to} departmentId={departmentId} close={close} />}
      {open?.what === 'shift' &&
        open.item.shift &&
        roster &&
        (open.item.fixed || !mayPlan ? (
          <ShiftInfo
            shift={open.item.shift}
            close={close}
            {...(open.item.shift.userId === me &&
              swappable(open.item.shift, clock) && { swap: () => setOpen({ what: 'offer', shift: open.item.shift! }) })}
          />
        ) : (
          <EditShift shift={open.item.shift} roster={roster} close={close} />
        ))}
    </Screen>
  )
}
