import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import css from './calendar.module.css'
import { clockText, type Day, dayText } from './days.ts'
import { type CalendarItem, isOn } from './items.ts'
import { calendarTexts } from './texts.ts'

interface Props<I extends CalendarItem> {
  label: string
  days: readonly Day[]
  items: readonly I[]
  today: Day
  marked?: ReadonlyMap<Day, string>
  /** Name of the item's person, shown before the item. */
  whose?: (item: I) => ReactNode
  onOpen?: (item: I) => void
  /** Button that adds an item on a day: "Add shift". */
  add?: { title: string; onPick: (day: Day) => void; reason?: string }
  /** Omits empty days. */
  onlyFilled?: boolean
  empty?: ReactNode
}

/** Pixels of `.listHead` and `.listItem`. */
const HEAD = 36
const ITEM = 46

/** A calendar as a list of days for narrow screens. Opens at today; earlier days are above. */
export function DayList<I extends CalendarItem>(props: Props<I>) {
  const { label, days, items, today, marked, whose, onOpen, add, onlyFilled } = props
  const shown = days
    .map((day) => ({ day, there: items.filter((item) => isOn(item, day)) }))
    .filter(({ there }) => !onlyFilled || there.length > 0)
  const list = useRef<HTMLElement>(null)
  const [first] = days
  const begin = shown.findIndex(({ day }) => day >= today)
  // the list stays aligned to today until the first interaction
  const touched = useRef<Day>(undefined)
  const touch = () => {
    touched.current = first
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: aligns again when more items arrive
  useLayoutEffect(() => {
    if (touched.current === first || !items.length) return
    const align = () => list.current?.children[begin]?.scrollIntoView()
    align()
    const drawn = requestAnimationFrame(() => {
      align() // days around today have their height only now
      // if the whole page scrolls, align only once: the filters above the list must stay reachable
      if (list.current?.scrollHeight === list.current?.clientHeight) touch()
    })
    return () => cancelAnimationFrame(drawn)
  }, [first, items])
  if (!shown.length) return props.empty
  return (
    <section
      ref={list}
      className={css.list}
      aria-label={label}
      onPointerDown={touch}
      onWheel={touch}
      onTouchMove={touch}
      onKeyDown={touch}
    >
      {shown.map(({ day, there }) => (
        <section
          key={day}
          className={css.listDay}
          aria-label={dayText(day, 'long')}
          // estimated height, so that today's offset is known before the days above render
          style={{ containIntrinsicHeight: `auto ${HEAD + Math.max(1, there.length) * ITEM}px` }}
        >
          <header className={css.listHead} data-today={day === today || undefined}>
            <Text fw={600} component="h2" fz="sm">
              {dayText(day, 'long')}
              {marked?.has(day) && (
                <Text span c="dimmed" fz="xs">
                  {' '}
                  {marked.get(day)}
                </Text>
              )}
            </Text>
            {add && !add.reason && (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<IconPlus size={14} />}
                aria-label={calendarTexts().addOn(add.title, dayText(day, 'long'))}
                onClick={() => add.onPick(day)}
              >
                {calendarTexts().add}
              </Button>
            )}
          </header>
          {there.map((item) => (
            <button key={item.id} type="button" className={css.listItem} onClick={() => onOpen?.(item)}>
              <span className={css.swatch} data-colour={item.colour} data-look={item.look} aria-hidden />
              <span className={css.listText}>
                {whose && <span className={css.truncate}>{whose(item)}</span>}
                <Text span c={whose ? 'dimmed' : undefined} fz={whose ? 'xs' : 'sm'} truncate>
                  {item.label}
                  {item.note && `, ${item.note}`}
                  {item.look === 'dashed' && `, ${item.notFinal ?? calendarTexts().draft}`}
                </Text>
              </span>
              {item.minutes && (
                <Text span c="dimmed" className="num" fz="xs">
                  {clockText(item.minutes[0])}–{clockText(item.minutes[1])}
                </Text>
              )}
            </button>
          ))}
          {there.length === 0 && (
            <Text c="dimmed" fz="xs" px={14} py={8}>
              {calendarTexts().nothingOnDay}
            </Text>
          )}
        </section>
      ))}
    </section>
  )
}
