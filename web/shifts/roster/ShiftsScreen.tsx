import { Select, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { DayList } from '../../kit/calendar/DayList.tsx'
import { addDays, today } from '../../kit/calendar/days.ts'
import { LaneGrid, type Picked } from '../../kit/calendar/LaneGrid.tsx'
import { PeriodBar } from '../../kit/calendar/PeriodBar.tsx'
import { EmptyState } from '../../kit/frame/emptyStates.tsx'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { counted } from '../../kit/look/format.ts'
import { shiftsApi } from '../api.ts'
import { usePlanning } from '../planning/usePlanning.ts'
import css from '../shifts.module.css'
import { itemsByPerson, type ShiftItem } from './items.ts'
import { lanesOf } from './lanes.tsx'
import { RosterFooter } from './RosterFooter.tsx'
import { ShiftActions } from './ShiftActions.tsx'
import { ShiftLegend } from './ShiftLegend.tsx'
import { useCoverage } from './useCoverage.tsx'
import { useRoster } from './useRoster.ts'

const AddShift = lazyDialog(() => import('./AddShift.tsx'))
const CopyModal = lazyDialog(() => import('../planning/CopyModal.tsx'))
const EditShift = lazyDialog(() => import('./EditShift.tsx'))
const PlanModal = lazyDialog(() => import('../planning/PlanModal.tsx'))
const ShiftInfo = lazyDialog(() => import('./ShiftInfo.tsx'))

type Open =
  | { what: 'add'; date?: string; userId?: number }
  | { what: 'plan'; picked: Picked }
  | { what: 'shift'; item: ShiftItem }
  | { what: 'copy' }

const wide = 'Everybody'

/** Roster of a month or week, by department or by shift team. */
export default function ShiftsScreen() {
  const shown = useRoster()
  const { view, days, from, now, department, who, set } = shown
  const me = useSession().id
  const lacking = useReason()
  const mayPlan = lacking(shiftsApi.create) === undefined
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const roster = shown.roster.data
  const teams = useQuery({
    ...shiftsApi.teams.query({ date: from }),
    enabled: view === 'team' && !lacking(shiftsApi.teams),
  })

  const departments = [...new Set(roster?.people.flatMap(({ departmentName }) => departmentName ?? []))].sort()
  const people = useMemo(
    () =>
      (roster?.people ?? []).filter(
        (person) =>
          (!department || person.departmentName === department) &&
          person.name.toLowerCase().includes(who.trim().toLowerCase()),
      ),
    [roster, department, who],
  )
  const items = useMemo(() => (roster ? itemsByPerson(roster, mayPlan) : new Map()), [roster, mayPlan])
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
  const marked = useMemo(() => new Map(roster?.holidays.map(({ date, name }) => [date, name])), [roster])
  const departmentId = people.find(({ departmentName }) => departmentName === department)?.departmentId ?? undefined
  const tops = useCoverage({ from, to: shown.to, departmentId, days, compact: view === 'month' })
  const planning = usePlanning()
  const openItem = (item: ShiftItem) => item.shift && setOpen({ what: 'shift', item })

  return (
    <Screen
      scroll={false}
      query={shown.roster}
      count={roster && `${department ?? wide}, ${counted(people.length, ['person', 'people'])}`}
      actions={
        <ShiftActions
          view={view}
          setView={(next) => set({ view: next })}
          drafts={roster?.shifts.filter(({ status }) => status === 'draft').length ?? 0}
          publish={() => planning.publish(from, shown.to)}
          add={() => setOpen({ what: 'add' })}
          copy={() => setOpen({ what: 'copy' })}
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
          {departments.length > 1 && (
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
          <ShiftLegend />
        </div>
      </PeriodBar>
      {phone ? (
        <DayList
          label={`Shifts, ${shown.label}`}
          days={days}
          items={lanes.flatMap((lane) => lane.items)}
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
          weekend={roster?.weekend}
          tops={tops}
          endTitle="Hours"
          onTurn={shown.turn}
          onOpen={openItem}
          {...(mayPlan && {
            onPick: (picked: Picked) => setOpen({ what: 'plan', picked }),
            onMove: planning.move,
            ...(view !== 'month' && { onResize: planning.resize }),
            onRemove: planning.remove,
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
      {open?.what === 'plan' && roster && <PlanModal roster={roster} picked={open.picked} close={close} />}
      {open?.what === 'copy' && <CopyModal from={from} to={shown.to} departmentId={departmentId} close={close} />}
      {open?.what === 'shift' &&
        open.item.shift &&
        roster &&
        (open.item.fixed ? (
          <ShiftInfo shift={open.item.shift} close={close} />
        ) : (
          <EditShift shift={open.item.shift} roster={roster} close={close} />
        ))}
    </Screen>
  )
}
