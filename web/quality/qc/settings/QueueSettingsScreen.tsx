import type { QueueSettings } from '@innkeeper/contract/quality/qc/settings'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { SegmentedControl, Select, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { qcSettingsApi } from '../api.ts'

const modes = [
  { value: 'everything', label: 'Every conversation' },
  { value: 'sample', label: 'A sample per agent' },
  { value: 'checks', label: 'What failed the most checks, per agent' },
  { value: 'off', label: 'Nothing by itself' },
] as const
const periods = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const

/** The numbers of the form: key, label, hint, least and most. */
const numbers = [
  ['minMessages', 'Minimum messages', 'Shorter conversations are not queued', 1, 1000],
  ['quota', 'Quota per agent', 'Sampled conversations in each period', 1, 1000],
  ['newFactor', 'Factor for new agents', 'Multiplies the quota before their fifth review', 1, 5],
  ['lowFactor', 'Factor for low scores', 'Multiplies the quota', 1, 5],
  ['lowScore', 'A low score is below', 'Mean of 0 to 100', 0, 100],
  ['leaseMinutes', 'Lease, min', 'How long an opened item stays with its reviewer', 5, 240],
  ['postponeDays', 'Postponed for, days', 'Then the item is offered to everybody', 1, 90],
  ['disputeDays', 'Time to dispute, days', 'After a review was submitted', 1, 365],
  ['answerDays', 'Time to decide, days', 'After an agent has disputed a review', 1, 90],
  ['minimumN', 'Rank from, reviews', 'Statistics rank nobody with fewer', 1, 1000],
] as const

export default function QueueSettingsScreen() {
  const [kind, setKind] = useState<Kind>('chat')
  const query = useQuery(qcSettingsApi.queue.query({ kind }))
  if (!query.data) return <Screen query={query}>{null}</Screen>
  return <Form key={kind} settings={query.data} setKind={setKind} />
}

function Form({ settings, setKind }: { settings: QueueSettings; setKind: (kind: Kind) => void }) {
  const navigate = useNavigate()
  const { kind, ...opened } = useOpened(settings)
  const form = useCallForm(qcSettingsApi.updateQueue, {
    initial: opened,
    fixed: { kind },
    labels: { mode: 'What is queued', ...Object.fromEntries(numbers.map(([key, label]) => [key, label])) },
    onDone: () => {
      void readAgain(['qc'])
      toast.success(`The ${kind} queue is saved`)
    },
  })
  const { values } = form
  const [mode, period, retention] = [form.field('mode'), form.field('period'), form.field('retentionDays')]
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={kind === 'chat' ? 'Chat queue' : 'Ticket queue'}
      left="Already queued conversations stay queued."
      save="Save queue settings"
      onCancel={() => void navigate({ to: '/qc/chats/queue' })}
    >
      <SegmentedControl
        aria-label="Queue of"
        data={[
          { value: 'chat', label: 'Chats' },
          { value: 'ticket', label: 'Tickets' },
        ]}
        value={kind}
        onChange={(next) => setKind(next === 'ticket' ? 'ticket' : 'chat')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="What is queued"
          allowDeselect={false}
          data={modes}
          value={mode.value}
          onChange={(next) => mode.onChange(modes.find(({ value }) => value === next)?.value ?? 'off')}
        />
        <Select
          label="Period of the quota"
          allowDeselect={false}
          disabled={values.mode !== 'sample' && values.mode !== 'checks'}
          data={periods}
          value={period.value}
          onChange={(next) => period.onChange(periods.find(({ value }) => value === next)?.value ?? 'week')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {numbers.map(([key, label, hint, min, max]) => {
          const { value, onChange, onBlur, error } = form.field(key)
          return (
            <NumberField
              key={key}
              label={label}
              description={hint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={min}
              max={max}
              decimalScale={key.endsWith('Factor') ? 1 : 0}
              value={value}
              onChange={(next) => onChange(Number(next) || min)}
              onBlur={onBlur}
              error={error}
            />
          )
        })}
      </SimpleGrid>
      <NumberField
        label="Remove customers’ data after, days"
        description="Names, addresses and texts are removed; scores stay. Empty: never"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={30}
        max={3650}
        allowDecimal={false}
        value={retention.value ?? ''}
        onChange={(next) => retention.onChange(next === '' ? null : Number(next))}
        onBlur={retention.onBlur}
        error={retention.error}
      />
      <Text c="dimmed" fz="xs">
        Each item records how it came into the queue: statistics report samples and filtered items separately. A sample
        is drawn after each day has ended: the same share of each day, and the rest of the quota from the whole period
        after its last day. Conversations that failed the most automatic checks are spread over the days.{' '}
        <LinkTo to="/qc-settings/chats/queue/draws" inherit underline="always">
          What was drawn from what
        </LinkTo>
      </Text>
    </FormScreen>
  )
}
