import { Button, Group, Kbd, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { type KeyWords, useKeyHelp } from '../frame/keys.ts'
import { frameTexts } from '../frame/texts.ts'
import { kitWords } from '../look/texts.ts'
import css from './SaveBar.module.css'

interface Props {
  /** Consequence of saving, or the missing fields. */
  left?: ReactNode
  /** Verb and noun: "Create website". */
  save: string
  onCancel: () => void
  cancel?: string
  busy?: boolean
  disabled?: boolean
  extra?: ReactNode
}

const saveKeys = (): KeyWords => [
  ['Ctrl ↵', kitWords().save],
  ['Tab', frameTexts().nextField],
]

/** Sticky footer of a form: consequence on the left, buttons on the right. Ctrl+Enter saves wherever the focus is. */
export function SaveBar({ left, save, onCancel, cancel = kitWords().cancel, busy, disabled, extra }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useKeyHelp(frameTexts().inForm, saveKeys)
  useEffect(() => {
    const press = (event: KeyboardEvent) => button.current && saveFrom(event, button.current)
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <footer className={css.bar}>
      <Text component="div" c="dimmed" className={css.left} aria-live="polite">
        {left}
      </Text>
      <Group gap={8} wrap="nowrap" justify="flex-end" className={css.acts}>
        <Button variant="subtle" color="secondary" onClick={onCancel}>
          {cancel}
        </Button>
        {extra}
        <Button
          ref={button}
          type="submit"
          loading={busy}
          disabled={disabled}
          rightSection={
            <Kbd visibleFrom="sm" aria-hidden>
              Ctrl ↵
            </Kbd>
          }
        >
          {save}
        </Button>
      </Group>
    </footer>
  )
}

/** The form itself handles keys that are pressed in its fields; a dialog above it has a form of its own. */
function saveFrom(event: KeyboardEvent, button: HTMLButtonElement): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented || event.repeat) return
  const { form } = button
  const dialogs = [...document.querySelectorAll('[role="dialog"]')]
  if (form?.contains(document.activeElement) || dialogs.some((dialog) => !dialog.contains(button))) return
  event.preventDefault()
  if (form) form.requestSubmit()
  else button.click()
}
