import { Button, Checkbox, Group, Kbd, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import css from '../qc.module.css'
import { WhileShown } from './shown.tsx'

export interface FootProps {
  /** Why the review cannot be submitted; undefined if nothing is missing. */
  lack: string | undefined
  /** The state of the draft, or the refusal of the submission. */
  text: string
  isError: boolean
  send: (how: { sendStats: boolean } | { reviewLater: true }) => Promise<void>
  undo: () => void
}

/** The buttons of a review and their keys. Only they render again while a submission is under way. */
export function Foot({ lack, text, isError, send, undo }: FootProps) {
  const [sendStats, setSendStats] = useState(true)
  const { busy, run } = useAct()
  const submit = () => void (lack === undefined && run(() => send({ sendStats })))
  const later = () => void run(() => send({ reviewLater: true }))
  return (
    <footer className={css.foot}>
      <WhileShown>
        <Hotkeys submit={submit} later={later} undo={undo} />
      </WhileShown>
      <Text c={isError ? 'var(--mantine-color-error-text)' : 'dimmed'} fz="xs" aria-live="polite">
        {isError ? text : (lack ?? text)}
      </Text>
      <Group gap={8}>
        <Checkbox
          label="Notify the agent"
          checked={sendStats}
          onChange={(event) => setSendStats(event.currentTarget.checked)}
        />
        <Button variant="default" loading={busy} onClick={later}>
          Review later
        </Button>
        <ActButton loading={busy} reason={lack} rightSection={<Kbd visibleFrom="sm">Ctrl ↵</Kbd>} onClick={submit}>
          Submit and next
        </ActButton>
      </Group>
    </footer>
  )
}

function Hotkeys({ submit, later, undo }: Record<'submit' | 'later' | 'undo', () => void>) {
  useHotkeys(
    [
      // a key that is held down submits only once
      ['mod+Enter', (event) => event.repeat || submit()],
      ['mod+Shift+Enter', (event) => event.repeat || later()],
      ['mod+Shift+Z', undo],
    ],
    [],
  )
  return null
}
