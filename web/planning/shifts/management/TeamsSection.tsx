import { Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listed, useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { shiftsApi } from '../api.ts'
import { RemovableLine } from './RemovableLine.tsx'

/** Shift teams on a given day. A change creates a new version of the team from a day on. */
export default function TeamsSection({ date }: { date: string }) {
  const lacking = useReason()
  const hidden = lacking(shiftsApi.teams)
  const { data, error } = useQuery({ ...shiftsApi.teams.query({ date }), enabled: !hidden })
  const [adding, setAdding] = useState(false)
  const remove = async (id: number, version: number, name: string) => {
    const sure = await confirm({
      title: `Delete ${name}?`,
      text: 'The version of the team before it applies again.',
      verb: 'Delete team',
      danger: true,
    })
    if (sure && (await succeeds(() => shiftsApi.removeTeam({ id, version }), ['shifts'])))
      toast.success(`${name} is deleted`)
  }
  return (
    <Section
      title="Shift teams"
      hint={dayText(date, 'short')}
      pad={false}
      aside={
        <ActButton size="xs" variant="default" reason={lacking(shiftsApi.createTeam)} onClick={() => setAdding(true)}>
          Form team
        </ActButton>
      }
    >
      {data?.items.map(({ id, version, name, departmentName, members }) => (
        <RemovableLine
          key={id}
          below={members.length ? listed(members.map((one) => one.name)) : 'Nobody'}
          label={`Delete ${name}`}
          reason={lacking(shiftsApi.removeTeam)}
          onRemove={() => void remove(id, version, name)}
        >
          <Text span fw={500} truncate>
            {name}, {departmentName}
          </Text>
        </RemovableLine>
      ))}
      {(hidden || error || data?.total === 0) && (
        <Text c="dimmed" p={14}>
          {hidden ?? error?.message ?? 'None yet. The people of a team get the same shifts.'}
        </Text>
      )}
      {adding && <FormTeam date={date} close={() => setAdding(false)} />}
    </Section>
  )
}

function FormTeam({ date, close }: { date: string; close: () => void }) {
  const roster = useQuery(shiftsApi.roster.query({ from: date, to: date, only: 'people' }))
  const people = roster.data?.people ?? []
  const departments = new Map(
    people.flatMap(({ departmentId, departmentName }) =>
      departmentId && departmentName ? [[departmentId, departmentName]] : [],
    ),
  )
  const form = useCallForm(shiftsApi.createTeam, {
    initial: { departmentId: null as number | null, name: '', date, memberIds: [] as number[] },
    labels: { departmentId: 'Department', name: 'Name', date: 'From', memberIds: 'Members' },
    onDone: ({ name }) => {
      void readAgain(['shifts'])
      toast.success(`${name} is formed`)
      close()
    },
  })
  const { departmentId, memberIds } = form.values
  return (
    <FormModal opened close={close} title="Form shift team" save="Form team" nothing="Nothing was saved." form={form}>
      <Select
        label="Department"
        withAsterisk
        data={[...departments].map(([id, label]) => ({ value: String(id), label }))}
        value={departmentId === null ? null : String(departmentId)}
        onChange={(next) => form.set('departmentId', next === null ? null : Number(next))}
        error={form.field('departmentId').error}
      />
      <TextInput
        label="Name"
        description="Replaces the team of the same name from its first day on"
        {...form.text('name')}
      />
      <DateField label="From" {...form.field('date')} />
      <MultiSelectField
        label="Members"
        searchable
        data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={memberIds.map(String)}
        onChange={(next) => form.set('memberIds', next.map(Number))}
        error={form.field('memberIds').error}
      />
    </FormModal>
  )
}
