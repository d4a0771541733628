import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Select, Text, TextInput } from '@mantine/core'
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
import { calendarTexts } from '../../../kit/calendar/texts.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { count } from '../../../kit/look/format.ts'
import { useNow } from '../../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import { countOf, publishedOf, shownDrafts } from '../planning/drafts.ts'
import { usePlanning } from '../planning/usePlanning.ts'
import css from '../shifts.module.css'
import { metBy, swappable } from '../swaps/swappable.ts'
import { shiftTexts } from '../texts.ts'
import { itemsByPerson, peopleOf, type ShiftItem } from './items.ts'
import { inOrder, lanesOf, personOf } from './lanes.tsx'
import { obstacleTo } from './obstacles.ts'
import { PART } from './parts.ts'
import { RosterFooter } from './RosterFooter.tsx'
import { ShiftActions } from './ShiftActions.tsx'
import { ShiftLegend } from './ShiftLegend.tsx'
import { useCoverage } from './useCoverage.tsx'
import { useRoster } from './useRoster.ts'
import { useRows } from './useRows.ts'

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

/** Roster of a month or week, by department or by shift team. */
export default function ShiftsScreen() {
  const words = shiftTexts()
  const wide = words.everybody
  const shown = useRoster()
  const { view, days, from, now, department, who, mine, set } = shown
  const me = useSession().id
  const lacking = useReason()
  const mayPlan = lacking(shiftsApi.create) === undefined
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [open, setOpen] = useState<Open>()
  const close = useCallback(() => setOpen(undefined), [])
  const frame = shown.roster.data
  const teams = useQuery({
    ...shiftsApi.teams.query({ date: from }),
    enabled: view === 'team' && !lacking(shiftsApi.teams),
  })
  const byTeam = view === 'team' ? teams.data?.items : undefined

  const departments = [...new Set(frame?.people.flatMap(({ departmentName }) => departmentName ?? []))].sort()
  const departmentId =
    frame?.people.find(({ departmentName }) => departmentName === department)?.departmentId ?? undefined
  const people = useMemo(() => {
    const found = peopleOf(frame, departmentId).filter(
      (person) => (!mine || person.id === me) && person.name.toLowerCase().includes(who.trim().toLowerCase()),
    )
    return inOrder(found, me, byTeam)
  }, [frame, departmentId, who, mine, me, byTeam])
  const ids = useMemo(() => people.map(({ id }) => id), [people])
  const { roster, read, error, onRows } = useRows({ frame, from, to: shown.to, ids })
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
        teams: byTeam,
        read,
      }),
    [people, items, roster, me, from, byTeam, read],
  )
  const names = useMemo(() => new Map(people.map(({ id, name }) => [id, name])), [people])
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
  const drafts = shownDrafts(roster?.drafts ?? [], people)
  const openItem = (item: ShiftItem) => item.shift && setOpen({ what: 'shift', item })

  return (
    <Screen
      scroll={false}
      query={shown.roster}
      count={
        roster &&
        `${departmentId === undefined ? wide : department}, ${words.people(count(people.length), people.length === 1)}`
      }
      actions={
        <ShiftActions
          view={view}
          setView={(next) => set({ view: next })}
          drafts={countOf(drafts)}
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
        unit={view === 'month' ? calendarTexts().month : calendarTexts().week}
        isNow={days.includes(now)}
        onTurn={shown.turn}
        onToday={() => set({ day: today() })}
      >
        <div className={css.filters}>
          <TextInput
            aria-label={words.findPeople}
            placeholder={words.findPeople}
            size="xs"
            w={140}
            value={who}
            onChange={(event) => set({ who: event.currentTarget.value })}
          />
          {(departments.length > 1 || !roster) && (
            <Select
              aria-label={words.department}
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
            {words.onlyMine}
          </Button>
          <ShiftLegend />
        </div>
      </PeriodBar>
      {error && <ErrorLine error={error} />}
      {phone && people.length > PART && (
        <Text c="dimmed" fz="sm" px="var(--ink-gutter)" py={6} role="status">
          {words.firstOnes(PART, words.people(count(people.length), false))}
        </Text>
      )}
      {phone ? (
        <DayList
          label={words.shifts(shown.label)}
          days={days}
          items={lanes.filter(({ id }) => !mine || id !== 'open').flatMap((lane) => lane.items)}
          today={now}
          marked={marked}
          whose={({ userId }) => (userId !== null && names.get(userId)) || words.open}
          onOpen={openItem}
          add={mayPlan ? { title: words.addShift, onPick: (date) => setOpen({ what: 'add', date }) } : undefined}
        />
      ) : (
        <LaneGrid
          key={view}
          label={words.shifts(shown.label)}
          days={days}
          lanes={lanes}
          today={now}
          scale={view === 'month' ? 'day' : 'time'}
          marked={marked}
          weekend={place?.weekend}
          tops={tops}
          endTitle={words.hours}
          onTurn={shown.turn}
          onRows={onRows}
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
            <EmptyState title={words.nobodyFound} tag="SH">
              {who || department ? words.noName : words.nobodyHere}
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
          title={`${words.shifts(shown.label)}, ${department ?? wide}`}
          {...{ days, roster, marked }}
          people={people}
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
