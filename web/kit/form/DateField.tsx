import { Button } from '@mantine/core'
import { type Day, today as dayToday, readDay } from '../calendar/days.ts'
import { calendarTexts } from '../calendar/texts.ts'
import { shownZone } from '../look/zone.ts'
import { DayPicker, ownEscape } from './DayPicker.tsx'
import { guessDay, readTypedDay, writeDay } from './dates.ts'
import { PickerInput, type TypedProps } from './PickerInput.tsx'
import { useTyped } from './useTyped.ts'

export interface DateFieldProps extends TypedProps {
  min?: Day
  max?: Day
}

/** A day, shown as "21 Nov 2026" with the value `2026-11-21`. */
export function DateField({ value, onChange, onBlur, min, max, ...rest }: DateFieldProps) {
  const today = dayToday(shownZone())
  const typed = useTyped({
    value,
    onChange,
    onBlur,
    write: writeDay,
    read: readTypedDay,
    guess: (text) => guessDay(text, today),
  })
  const problem = typed.isWrong ? calendarTexts().aDay(writeDay('2026-11-21')) : outside(value, min, max)
  return (
    <PickerInput
      placeholder={calendarTexts().suchAs(writeDay('2026-11-21'))}
      {...rest}
      typed={typed}
      problem={problem}
      picker={(close) => (
        <DayPicker
          value={readDay(value)}
          today={today}
          min={min}
          max={max}
          onPick={(day) => {
            typed.put(day)
            close()
          }}
        >
          {!rest.required && (
            <Button
              {...ownEscape}
              size="xs"
              variant="subtle"
              color="secondary"
              disabled={typed.text === ''}
              onClick={() => {
                typed.put('')
                close()
              }}
            >
              {calendarTexts().clear}
            </Button>
          )}
        </DayPicker>
      )}
    />
  )
}

export const outside = (day: string, min: Day | undefined, max: Day | undefined): string | undefined => {
  if (!day) return undefined
  if (min && day < min) return calendarTexts().notBefore(writeDay(min))
  return max && day > max ? calendarTexts().notAfter(writeDay(max)) : undefined
}
