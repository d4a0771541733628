import type { PlannedAction } from '@innkeeper/contract/hosting/websites'
import { Button, Checkbox, Group, Text } from '@mantine/core'
import { Reading } from '../frame/Reading.tsx'
import { Section } from '../frame/Section.tsx'
import { Mono } from '../look/Mono.tsx'

interface Props {
  actions: readonly PlannedAction[]
  /** Names of skipped actions. */
  left: readonly string[]
  onChange: (left: string[]) => void
  failed?: string
}

/** The plan beside the form: actions in order; optional ones can be skipped. */
export function WhatWillRun({ actions, left, onChange, failed }: Props) {
  const toggle = (name: string) =>
    onChange(left.includes(name) ? left.filter((other) => other !== name) : [...left, name])
  return (
    <Section
      title="What will run"
      hint="in this order"
      pad={false}
      aside={
        left.length > 0 && (
          <Button variant="subtle" size="xs" color="secondary" onClick={() => onChange([])}>
            Run all
          </Button>
        )
      }
    >
      {actions.map((action, i) => (
        <Step
          key={`${action.name} ${action.what}`}
          action={action}
          on={!left.includes(action.name)}
          first={i === 0}
          toggle={() => toggle(action.name)}
        />
      ))}
      {actions.length === 0 && (
        <Text c="dimmed" p={14}>
          {failed ?? <Reading />}
        </Text>
      )}
    </Section>
  )
}

function Step({
  action,
  on,
  first,
  toggle,
}: {
  action: PlannedAction
  on: boolean
  first: boolean
  toggle: () => void
}) {
  const { title, what, serverName, optional } = action
  const text = on ? [what, !optional && 'Always runs'].filter(Boolean).join('. ') : 'Left out.'
  return (
    <Checkbox
      aria-label={`Run ${title}`}
      checked={on}
      readOnly={!optional}
      aria-disabled={!optional || undefined}
      color={optional ? undefined : 'secondary'}
      onChange={() => optional && toggle()}
      px={14}
      py={8}
      style={{ borderTop: first ? undefined : '1px solid var(--ink-line)' }}
      styles={{
        body: { alignItems: 'flex-start' },
        inner: { marginTop: 2 },
        labelWrapper: { width: '100%', minWidth: 0 },
      }}
      label={
        <Group justify="space-between" wrap="nowrap" gap={8}>
          <Text span fw={500} c={on ? undefined : 'dimmed'}>
            {title}
          </Text>
          <Mono c="dimmed" fz="xs">
            {serverName ?? ''}
          </Mono>
        </Group>
      }
      description={
        <Text span fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      }
    />
  )
}
