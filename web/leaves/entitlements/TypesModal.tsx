import type { LeaveType } from '@innkeeper/contract/leaves'
import { Modal, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { leavesApi } from '../api.ts'
import { useTypes } from '../filters.ts'
import { daysWords } from '../words.ts'
import { DaysInput } from './DaysInput.tsx'

/** Views and edits the rules of each leave type. */
export function TypesModal({ opened, close }: { opened: boolean; close: () => void }) {
  const types = useTypes()
  const cannotRead = useReason()(leavesApi.types)
  const lacking = useReason()(leavesApi.updateType)
  const [edited, edit] = useState<LeaveType>()
  return (
    <>
      <Modal opened={opened && !edited} onClose={close} title="Kinds of leave" size={720}>
        {cannotRead && <Text c="dimmed">{cannotRead}</Text>}
        <SectionTable
          label="Kinds of leave"
          edges={false}
          rows={types}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Kind',
              cell: (type) => (
                <>
                  {type.name}
                  <Text c="dimmed" fz="xs">
                    {saidOf(type)}
                  </Text>
                </>
              ),
            },
            { title: 'A year', align: 'right', cell: (type) => (type.deductsBalance ? type.yearlyDays : '–') },
            { title: 'Carried at most', align: 'right', cell: (type) => type.carryForwardMax || '–' },
            {
              title: 'Document',
              cell: ({ documentFromDays }) =>
                documentFromDays === null ? 'Never' : `From ${daysWords(documentFromDays)}`,
            },
            {
              title: '',
              cell: (type) => (
                <ActButton
                  variant="subtle"
                  size="xs"
                  reason={lacking}
                  aria-label={`Change ${type.name}`}
                  onClick={() => edit(type)}
                >
                  Change…
                </ActButton>
              ),
            },
          ]}
        />
      </Modal>
      {edited && <TypeForm key={edited.id} type={edited} close={() => edit(undefined)} />}
    </>
  )
}

const saidOf = ({ isPaid, deductsBalance, allowNegative, countsEveryDay, halfDays, charge }: LeaveType): string =>
  [
    isPaid ? 'paid' : 'not paid',
    deductsBalance ? (allowNegative ? 'may go below zero' : 'from a balance') : 'without a balance',
    ...(countsEveryDay ? ['weekends count'] : []),
    ...(charge === 'days' ? [] : [`counted in rostered ${charge}`]),
    ...(halfDays ? [] : ['whole days']),
  ].join(', ')

const switches = {
  isPaid: 'Paid',
  deductsBalance: 'Taken from a balance',
  allowNegative: 'The balance may go below zero',
  countsEveryDay: 'Weekends and holidays count too',
  halfDays: 'Half days can be taken',
} as const
const switchKeys = Object.keys(switches) as (keyof typeof switches)[] // the keys are literals

function TypeForm({ type, close }: { type: LeaveType; close: () => void }) {
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
          label="Document from so many days on"
          description="Empty: never"
          {...form.field('documentFromDays')}
        />
      </SimpleGrid>
      <Select
        label="Counted in"
        description="Shifts and hours: on weeks with shifts of the person; other weeks count working days"
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
