import type { EventType } from '@innkeeper/contract/planning/calendarEvents/event'
import { Group, SegmentedControl, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { type Day, today as dayToday, readDay } from '../../../kit/calendar/days.ts'
import { PeriodBar } from '../../../kit/calendar/PeriodBar.tsx'
import { DateField } from '../../../kit/form/DateField.tsx'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import { useZone, zoneName } from '../../../kit/look/zone.ts'
import { eventsApi } from '../api.ts'
import { calendarEventTexts, eventTypeTexts } from '../texts.ts'
import css from './calendar.module.css'
import type { EntryItem } from './entries.ts'
import { KindToggles } from './KindToggles.tsx'
import { moveEntry } from './moveEntry.ts'
import { PeriodView } from './PeriodView.tsx'
import { isNow, type Period, periodText, readPeriod, turned, views, writePeriod } from './period.ts'
import { useEntries } from './useEntries.ts'

const EntryModal = lazyDialog(() => import('./EntryModal.tsx'))

const choicesOf = (words: object) => Object.entries(words).map(([value, label]) => ({ value, label }))

/** Calendar of events, repeating events, holidays, birthdays, and the person's shifts and leaves. */
export default function EventsScreen() {
  const words = calendarEventTexts()
  const today = dayToday(useZone())
  const navigate = useNavigate()
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const mayCreate = !useReason()(eventsApi.create)
  const period = readPeriod(useSearch({ strict: false }), today)
  const [opened, setOpened] = useState<EntryItem>()
  const { query, items, marked, weekend, zone } = useEntries(period)
  const show = (change: Partial<Period>) =>
    void navigate({ to: '.', search: writePeriod({ ...period, ...change }, today) })
  const open = (item: EntryItem) => {
    const { kind, id } = item.entry
    if (kind === 'event' && id)
      void navigate({ to: '/calendar/events/event/$eventId/singup', params: { eventId: String(id) } })
    else setOpened(item)
  }
  const pick = (from: Day, to: Day) => void navigate({ to: '/calendar/events/event', search: { from, to } })
  return (
    <Screen
      scroll={false}
      actions={
        <Group gap={8}>
          <LinkButton to="/calendar/events/manage" variant="default">
            {words.manage}
          </LinkButton>
          <CreateButton call={eventsApi.create} to="/calendar/events/event">
            {words.addEvent}
          </CreateButton>
        </Group>
      }
    >
      <PeriodBar
        label={periodText(period)}
        unit={words[period.view]}
        isNow={isNow(period, today)}
        onTurn={(by) => show(turned(period, by))}
        onToday={() => show({ date: today })}
      >
        <Group gap={8}>
          <Text c="dimmed" fz="xs" title={zone}>
            {words.timeOf(zoneName(zone))}
          </Text>
          {period.view === 'range' && <Ends period={period} show={show} />}
          <SegmentedControl
            size="xs"
            aria-label={words.view}
            data={views.map((value) => ({ value, label: words[value] }))}
            value={period.view}
            onChange={(view) => show({ view: view as Period['view'] })} // one of `views`
          />
        </Group>
      </PeriodBar>
      <div className={css.filters}>
        <KindToggles kinds={period.kinds} set={(kinds) => show({ kinds })} />
        <MultiSelectField
          size="xs"
          aria-label={words.types}
          placeholder={period.types.length ? undefined : words.allTypes}
          clearable
          miw={150}
          data={choicesOf(eventTypeTexts())}
          value={period.types}
          onChange={(types) => show({ types: types as EventType[] })} // some of the types
        />
      </div>
      {query.error && <ErrorLine error={query.error} />}
      <div className={css.body} aria-busy={query.isPending}>
        <PeriodView
          period={period}
          items={items}
          marked={marked}
          weekend={weekend}
          today={today}
          phone={phone}
          onOpen={open}
          onPick={mayCreate ? pick : undefined}
          onDay={(date) => show({ view: 'range', date, to: date })}
          onMove={(item, place) => void moveEntry(item, place)}
          onTurn={(by) => show(turned(period, by))}
        />
      </div>
      {opened && <EntryModal item={opened} zone={zone} close={() => setOpened(undefined)} />}
    </Screen>
  )
}

/** First and last day of the range view. */
function Ends({ period, show }: { period: Period; show: (change: Partial<Period>) => void }) {
  const set = (key: 'date' | 'to', text: string) => {
    const day = readDay(text)
    if (day) show({ [key]: day })
  }
  return (
    <Group gap={6} wrap="nowrap">
      <DateField
        size="xs"
        aria-label={calendarEventTexts().from}
        value={period.date}
        onChange={(day) => set('date', day)}
      />
      <DateField
        size="xs"
        aria-label={calendarEventTexts().to}
        min={period.date}
        value={period.to}
        onChange={(day) => set('to', day)}
      />
    </Group>
  )
}
