import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { type useTyped, WRONG } from './useTyped.ts'

/** What the fields of days and times take from whoever uses them. */
export interface TypedProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'min' | 'max' | 'type'> {
  /** '' is an empty field. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
}

/** A press in the calendar is none outside the menu that the field stands in. */
const stop = (event: { stopPropagation: () => void }) => event.stopPropagation()
const inside = { onMouseDown: stop, onTouchStart: stop }

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> {
  typed: ReturnType<typeof useTyped>
  /** What is wrong with the text or its value; it comes before the error of the form. */
  problem?: string
  /** What opens below the field. */
  picker: (close: () => void) => ReactNode
}

/** A text with a calendar: typed, or chosen with the button, Arrow down or Alt with Arrow down. */
export function PickerInput({ typed, problem, picker, error, ...rest }: Props) {
  const [opened, setOpened] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const wasOpened = useRef(false)
  const id = useId()
  const close = () => {
    setOpened(false)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    typed.input.onKeyDown(event)
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    setOpened(true)
  }
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      withRoles={false}
      closeOnEscape={false}
      disabled={rest.disabled}
    >
      <Popover.Target>
        <TextInput
          autoComplete="off"
          {...rest}
          {...typed.input}
          ref={input}
          onKeyDown={onKeyDown}
          role="combobox"
          aria-haspopup="dialog"
          aria-expanded={opened}
          aria-controls={opened ? id : undefined}
          {...{ [WRONG]: typed.isUnread || problem !== undefined || undefined }}
          error={problem ?? error}
          rightSection={
            <ActionIcon
              aria-label="Open calendar"
              tabIndex={-1}
              disabled={rest.disabled}
              // the press itself closes an open calendar
              onPointerDown={() => {
                wasOpened.current = opened
              }}
              onClick={() => setOpened(!wasOpened.current)}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown
        id={id}
        role="dialog"
        aria-label="Calendar"
        p={10}
        {...inside}
        onKeyDown={(event) => {
          // the keys of the form below are not meant
          event.stopPropagation()
          if (event.key === 'Escape') close()
        }}
      >
        {picker(close)}
      </Popover.Dropdown>
    </Popover>
  )
}
