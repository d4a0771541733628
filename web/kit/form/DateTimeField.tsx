import { Button, Group } from '@mantine/core'
import { type Day, today as dayToday, readDay } from '../calendar/days.ts'
import { shownZone } from '../look/zone.ts'
import { outside } from './DateField.tsx'
import { DayPicker, ownEscape } from './DayPicker.tsx'
import { guessLocal, readTypedLocal, writeLocal } from './dates.ts'
import { PickerInput, type TypedProps } from './PickerInput.tsx'
import { TimeField } from './TimeField.tsx'
import { useTyped } from './useTyped.ts'
import { clockChange, instantOf, localIn } from './wallClock.ts'
import { ownZone, zoneWord } from './zones.ts'

export interface DateTimeFieldProps extends TypedProps {
  /** Time zone of the value: the field names the zone and warns near a clock change. */
  zone?: string
  min?: Day
  max?: Day
  /** Time for a day that is chosen or typed without a time. */
  usual?: string
}

const changes = {
  skipped: 'The clocks skip this time: the time after the change is meant',
  twice: 'The clocks show this time twice: the first one is meant',
}

/** Local day and time, shown as "21 Nov 2026 14:02" with the value `2026-11-21T14:02`. */
export function DateTimeField(props: DateTimeFieldProps) {
  const { value, onChange, onBlur, zone, min, max, usual = '09:00', description, ...rest } = props
  const here = zone ?? shownZone()
  const today = dayToday(here)
  const [day, time = usual] = readDay(value.slice(0, 10)) ? value.split('T') : []
  const typed = useTyped({
    value,
    onChange,
    onBlur,
    write: writeLocal,
    read: readTypedLocal,
    guess: (text) => guessLocal(text, today, time),
  })
  const change = zone && day ? clockChange(value, zone) : undefined
  const problem = typed.isWrong ? 'A day and a time, such as 21 Nov 2026 14:00' : outside(value.slice(0, 10), min, max)
  return (
    <PickerInput
      placeholder="Such as 21 Nov 2026 14:00"
      {...rest}
      description={
        change
          ? changes[change]
          : (description ?? (zone && zoneWord(zone, new Date(day ? instantOf(`${day}T${time}`, zone) : Date.now()))))
      }
      typed={typed}
      problem={problem}
      picker={(close) => (
        <DayPicker value={day} today={today} min={min} max={max} onPick={(picked) => typed.put(`${picked}T${time}`)}>
          <Group gap={6} wrap="nowrap">
            <TimeField
              {...ownEscape}
              aria-label="Time"
              w={86}
              value={time}
              disabled={!day}
              onChange={(next) => day && next && typed.put(`${day}T${next}`)}
            />
            <Button
              {...ownEscape}
              size="xs"
              variant="subtle"
              color="secondary"
              onClick={() => typed.put(localIn(Date.now(), here ?? ownZone()))}
            >
              Now
            </Button>
            <Button {...ownEscape} size="xs" variant="default" onClick={close}>
              Done
            </Button>
          </Group>
        </DayPicker>
      )}
    />
  )
}
