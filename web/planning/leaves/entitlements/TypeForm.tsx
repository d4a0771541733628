import type { LeaveType } from '@innkeeper/contract/planning/leaves/calls'
import { Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { leavesApi } from '../api.ts'
import { DaysInput } from './DaysInput.tsx'

const switches = {
  isPaid: 'Paid',
  deductsBalance: 'Taken from a balance',
  allowNegative: 'The balance may go below zero',
  countsEveryDay: 'Weekends and holidays count too',
  halfDays: 'Half days can be taken',
} as const

const switchKeys = Object.keys(switches) as (keyof typeof switches)[] // the keys are literals

export function TypeForm({ type, close }: { type: LeaveType; close: () => void }) {
  const { id, version, name, yearlyDays, carryForwardMax, carryUntil, documentFromDays } = type
  const { isPaid, deductsBalance, allowNegative, countsEveryDay, halfDays, charge } = type
  const form = useCallForm(leavesApi.updateType, {
    initial: {
      ...{ name, isPaid, deductsBalance, allowNegative, countsEveryDay, halfDays, charge },
      yearlyDays: yearlyDays as number | '',
      carryForwardMax: carryForwardMax as number | '',
      documentFromDays: (documentFromDays ?? '') as number | '',
      carryUntil: carryUntil ?? '',
      version,
    },
    fixed: { id },
    labels: { name: 'Name', yearlyDays: 'Days a year' },
    onDone: (saved) => {
      void readAgain(['leaves'])
      toast.success(`${saved.name} is saved`, 'Existing requests keep their charge.')
      close()
    },
  })
  return (
    <FormModal opened close={close} title={`Change ${name}`} save="Save kind" form={form} nothing="Nothing was saved.">
      <TextInput label="Name" autoComplete="off" {...form.text('name')} />
      <SimpleGrid cols={2} spacing={14} verticalSpacing={18}>
        <DaysInput label="Days a year" {...form.field('yearlyDays')} />
        <DaysInput label="Carried over at most" {...form.field('carryForwardMax')} />
        <TextInput
          label="Carried days end on"
          placeholder="06-30"
          description="Month and day; empty: they never expire"
          {...form.text('carryUntil')}
        />
        <DaysInput
          label="Document required from, days"
          description="Empty: never"
          {...form.field('documentFromDays')}
        />
      </SimpleGrid>
      <Select
        label="Counted in"
        description="Shifts and hours count in weeks with shifts of the person; other weeks count working days"
        allowDeselect={false}
        data={[
          { value: 'days', label: 'Working days' },
          { value: 'shifts', label: 'Rostered shifts, a day each' },
          { value: 'hours', label: 'Rostered hours' },
        ]}
        value={form.values.charge}
        onChange={(next) => form.set('charge', next === 'shifts' || next === 'hours' ? next : 'days')}
      />
      <Stack gap={8}>
        {switchKeys.map((key) => (
          <Switch
            key={key}
            label={switches[key]}
            checked={form.values[key]}
            onChange={(event) => form.set(key, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </FormModal>
  )
}
