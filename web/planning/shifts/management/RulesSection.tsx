import type { ShiftSettings } from '@innkeeper/contract/planning/shifts/calls'
import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { SectionBars } from '../../../kit/frame/SectionBars.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { confirmLeaves } from '../../calendarEvents/confirmLeaves.ts'
import { shiftsApi } from '../api.ts'
import { hoursText } from '../words.ts'
import { MinimumModal } from './MinimumModal.tsx'

/** Rules: night hours, length of a working day, minimum of people. */
export default function RulesSection() {
  const { data, isLoading } = useQuery(shiftsApi.settings.query())
  const reason = useReason()(shiftsApi.setSettings)
  const [open, setOpen] = useState<'rules' | 'minimum'>()
  if (!data) return isLoading ? <SectionBars /> : null
  return (
    <Section
      title="Rules"
      aside={
        <ActButton size="xs" variant="default" reason={reason} onClick={() => setOpen('rules')}>
          Change
        </ActButton>
      }
    >
      <Facts
        of={[
          [
            'Night',
            `${data.nightFrom}:00–${data.nightTo}:00, an hour counts ${data.nightNumerator}/${data.nightDenominator}${
              data.progress < 100 ? ` (updating future shifts, ${data.progress} %)` : ''
            }`,
          ],
          ['Working day', `${hoursText(data.dayNormMinutes / 60)} h`],
          ['Rest', `${hoursText(data.restMinutes / 60)} h between two shifts`],
          ['Week', data.weekMinutes ? `At most ${hoursText(data.weekMinutes / 60)} h` : 'No limit'],
          ['Nights in a row', data.nightsInRow ? `At most ${data.nightsInRow}` : 'No limit'],
          ['Approved leave', leaveEffect[data.onLeave]],
          ['Accepted swap', swapRule[data.swaps]],
        ]}
      />
      <ActButton mt={12} size="xs" variant="default" reason={reason} onClick={() => setOpen('minimum')}>
        Minimum staffing…
      </ActButton>
      {open === 'rules' && <ChangeRules settings={data} close={() => setOpen(undefined)} />}
      {open === 'minimum' && <MinimumModal close={() => setOpen(undefined)} />}
    </Section>
  )
}

const leaveEffect = { open: 'Its shifts become open', remove: 'Its shifts are removed' } as const

const swapRule = { approve: 'A planner approves', agree: 'Takes effect at once' } as const

const labels = {
  nightFrom: 'Night from, hour',
  nightTo: 'Night to, hour',
  nightNumerator: 'A night hour counts as',
  nightDenominator: 'divided by',
  dayNormMinutes: 'Working day, min',
  restMinutes: 'Rest, min',
  weekMinutes: 'A week at most, min',
  nightsInRow: 'Nights in a row at most',
  onLeave: 'Shifts of an approved leave',
  swaps: 'Swaps that both people accept',
}
const keys = [
  ...(['nightFrom', 'nightTo', 'nightNumerator', 'nightDenominator'] as const),
  ...(['dayNormMinutes', 'restMinutes', 'weekMinutes', 'nightsInRow'] as const),
]

function ChangeRules({ settings, close }: { settings: ShiftSettings; close: () => void }) {
  const { progress: _, ...initial } = settings
  const form = useCallForm(shiftsApi.setSettings, {
    initial,
    labels,
    send: async ({ version, ...input }) => {
      const seen = await confirmLeaves(() => shiftsApi.settingsLeaves(input))
      return seen && shiftsApi.setSettings({ ...input, version, ...seen })
    },
    onDone: () => {
      void readAgain(['shifts'])
      toast.success('The rules are saved', 'The rules apply to shifts that have not started.')
      close()
    },
  })
  return (
    <FormModal opened close={close} title="Change rules" save="Save rules" nothing="Nothing was saved." form={form}>
      <SimpleGrid cols={2}>
        {keys.map((key) => {
          const { value, onChange, onBlur, error } = form.field(key)
          return (
            <NumberField
              key={key}
              label={labels[key]}
              min={0}
              value={value}
              error={error}
              onBlur={onBlur}
              onChange={(next) => onChange(Number(next) || 0)}
            />
          )
        })}
      </SimpleGrid>
      <Stack gap={4}>
        <Text fw={500}>{labels.onLeave}</Text>
        <SegmentedControl
          aria-label={labels.onLeave}
          data={[
            { value: 'open', label: 'Become open' },
            { value: 'remove', label: 'Are removed' },
          ]}
          value={form.values.onLeave}
          onChange={(next) => form.set('onLeave', next === 'remove' ? 'remove' : 'open')}
        />
        <Text c="dimmed" fz="xs">
          Open shifts can be taken by others. A cancelled leave returns its shifts in both cases.
        </Text>
      </Stack>
      <Stack gap={4}>
        <Text fw={500}>{labels.swaps}</Text>
        <SegmentedControl
          aria-label={labels.swaps}
          data={[
            { value: 'approve', label: 'Wait for a planner' },
            { value: 'agree', label: 'Take effect at once' },
          ]}
          value={form.values.swaps}
          onChange={(next) => form.set('swaps', next === 'agree' ? 'agree' : 'approve')}
        />
      </Stack>
      <Text c="dimmed" fz="xs">
        Limits for rest, week and nights only warn; 0 is no limit. The rules apply to shifts that have not begun; worked
        shifts keep their hours.
      </Text>
    </FormModal>
  )
}
