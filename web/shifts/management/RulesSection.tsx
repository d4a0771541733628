import type { ShiftSettings } from '@innkeeper/contract/shifts'
import { NumberInput, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { shiftsApi } from '../api.ts'
import { hoursText } from '../words.ts'
import { MinimumModal } from './MinimumModal.tsx'

/** Rules: night hours, length of a working day, minimum of people. */
export default function RulesSection() {
  const { data } = useQuery(shiftsApi.settings.query())
  const reason = useReason()(shiftsApi.setSettings)
  const [open, setOpen] = useState<'rules' | 'minimum'>()
  if (!data) return null
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
            `${data.nightFrom}:00–${data.nightTo}:00, an hour counts ${data.nightNumerator}/${data.nightDenominator}`,
          ],
          ['Working day', `${hoursText(data.dayNormMinutes / 60)} h`],
          ['Rest', `${hoursText(data.restMinutes / 60)} h between two shifts`],
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

const labels = {
  nightFrom: 'Night from, hour',
  nightTo: 'Night to, hour',
  nightNumerator: 'A night hour counts',
  nightDenominator: 'parts of',
  dayNormMinutes: 'Working day, min',
  restMinutes: 'Rest, min',
}
const keys = ['nightFrom', 'nightTo', 'nightNumerator', 'nightDenominator', 'dayNormMinutes', 'restMinutes'] as const

function ChangeRules({ settings, close }: { settings: ShiftSettings; close: () => void }) {
  const form = useCallForm(shiftsApi.setSettings, {
    initial: settings,
    labels,
    onDone: () => {
      void readAgain(['shifts'])
      toast.success('The rules are saved', 'They apply to shifts that have not started.')
      close()
    },
  })
  return (
    <FormModal opened close={close} title="Change rules" save="Save rules" nothing="Nothing was saved." form={form}>
      <SimpleGrid cols={2}>
        {keys.map((key) => {
          const { value, onChange, onBlur, error } = form.field(key)
          return (
            <NumberInput
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
      <Text c="dimmed" fz="xs">
        Shifts that have not begun follow; what was worked counts as it did.
      </Text>
    </FormModal>
  )
}
