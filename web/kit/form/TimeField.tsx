import { TextInput } from '@mantine/core'
import { guessTime, readTime } from './dates.ts'
import type { TypedProps } from './PickerInput.tsx'
import { useTyped, WRONG } from './useTyped.ts'

/** A local time, shown and stored as `14:02`. */
export function TimeField({ value, onChange, onBlur, error, ...rest }: TypedProps) {
  const typed = useTyped({ value, onChange, onBlur, write: (time) => time, read: readTime, guess: guessTime })
  return (
    <TextInput
      autoComplete="off"
      placeholder="Such as 14:00"
      {...rest}
      {...typed.input}
      {...{ [WRONG]: typed.isUnread || undefined }}
      error={typed.isWrong ? 'A time such as 14:00' : error}
    />
  )
}
