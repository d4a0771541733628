import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { focusFirstField } from '../dialogs/focusFirstField.ts'
import css from './Wizard.module.css'
import { isAvailable, shownStep } from './wizardSteps.ts'

interface WizardStep {
  title: string
  /** Whether the step is complete, which makes the next step available. */
  done: boolean
  /** Missing fields, shown beside the disabled button. */
  wanting?: string
  content: ReactNode
}
interface Props {
  steps: readonly WizardStep[]
  /** Runs on the last step; all buttons are disabled meanwhile. */
  onFinish: () => unknown
  onCancel?: () => void
  busy?: boolean
}

/**
 * A long form in steps. A step is disabled until all earlier steps are complete; the last one ends with Finish
 * (platform §4).
 */
export function Wizard({ steps, onFinish, onCancel, busy = false }: Props) {
  const [asked, setAsked] = useState(0)
  const done = steps.map((step) => step.done)
  const shown = shownStep(done, asked)
  const step = steps[shown]
  /** A step without required fields is complete before anybody saw it, and gets no tick until then. */
  const [furthest, setFurthest] = useState(shown)
  if (shown > furthest) setFurthest(shown)
  const all = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const moved = useRef(false)
  // the pressed button is gone, so focus and view move to the start of the step
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the step moves the focus
  useEffect(() => {
    if (moved.current) {
      body.current?.focus({ preventScroll: true })
      all.current?.scrollIntoView({ block: 'start' })
    }
    moved.current = true
  }, [shown])
  useEffect(() => focusFirstField(body.current), [])
  if (!step) return null
  const isLast = shown === steps.length - 1
  const next = () => {
    if (!step.done || busy) return
    if (isLast) void onFinish()
    else setAsked(shown + 1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    next()
  }
  return (
    <section ref={all} className={css.all} onKeyDown={onKeyDown} aria-label="Steps">
      <ol className={css.steps}>
        {steps.map(({ title, done: isDone }, n) => (
          <li key={title}>
            <UnstyledButton
              className={css.step}
              disabled={busy || !isAvailable(done, n)}
              aria-current={n === shown ? 'step' : undefined}
              onClick={() => setAsked(n)}
            >
              <span className={css.number} aria-hidden>
                {isDone && n !== shown && n <= furthest ? <IconCheck size={13} /> : n + 1}
              </span>
              {title}
            </UnstyledButton>
          </li>
        ))}
      </ol>
      <section ref={body} tabIndex={-1} aria-label={step.title} style={{ outline: 'none' }}>
        {step.content}
      </section>
      <footer className={css.foot}>
        <Text c="dimmed" fz="xs" aria-live="polite">
          {step.done ? undefined : step.wanting}
        </Text>
        <Group gap={8} wrap="nowrap">
          {onCancel && (
            <Button variant="default" disabled={busy} onClick={onCancel}>
              Cancel
            </Button>
          )}
          {shown > 0 && (
            <Button variant="default" disabled={busy} onClick={() => setAsked(shown - 1)}>
              Back
            </Button>
          )}
          <Button disabled={!step.done} loading={busy} onClick={next}>
            {isLast ? 'Finish' : 'Next'}
          </Button>
        </Group>
      </footer>
    </section>
  )
}
