import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { calendarTexts } from '../calendar/texts.ts'
import { type useTyped, WRONG } from './useTyped.ts'

/** Shared props of the date and time fields. */
export interface TypedProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur' | 'min' | 'max' | 'type'> {
  /** '' for an empty field. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
}

/** Keeps a press in the calendar from closing the menu around the field. */
const stop = (event: { stopPropagation: () => void }) => event.stopPropagation()
const inside = { onMouseDown: stop, onTouchStart: stop }

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> {
  typed: ReturnType<typeof useTyped>
  /** Error of the text or value; shown instead of the form's error. */
  problem?: string
  /** Content of the popover. */
  picker: (close: () => void) => ReactNode
}

/** A text field with a popover, opened by button, Arrow down or Alt+Arrow down. */
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
              aria-label={calendarTexts().openCalendar}
              tabIndex={-1}
              disabled={rest.disabled}
              // the press itself closes an open popover
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
        aria-label={calendarTexts().calendar}
        p={10}
        {...inside}
        onKeyDown={(event) => {
          // keeps the key from the form around the field
          event.stopPropagation()
          if (event.key === 'Escape') close()
        }}
      >
        {picker(close)}
      </Popover.Dropdown>
    </Popover>
  )
}
