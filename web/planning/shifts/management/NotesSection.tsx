import { Select, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { shiftsApi } from '../api.ts'
import { RemovableLine } from './RemovableLine.tsx'

/** Notes on the days of people. */
export function NotesSection({ from, to }: { from: string; to: string }) {
  const lacking = useReason()
  const hidden = lacking(shiftsApi.notes)
  const { data, error } = useQuery({ ...shiftsApi.notes.query({ from, to }), enabled: !hidden })
  const [adding, setAdding] = useState(false)
  return (
    <Section
      title="Notes"
      pad={false}
      aside={
        <ActButton size="xs" variant="default" reason={lacking(shiftsApi.addNote)} onClick={() => setAdding(true)}>
          Write note
        </ActButton>
      }
    >
      {data?.items.map(({ id, version, userName, date, content, by }) => (
        <RemovableLine
          key={id}
          below={`${userName}, ${dayText(date, 'long')}. By ${by}`}
          label={`Delete the note of ${userName}, ${date}`}
          reason={lacking(shiftsApi.removeNote)}
          onRemove={() => void attempt(() => shiftsApi.removeNote({ id, version }), ['shifts'])}
        >
          <Text span style={{ overflowWrap: 'anywhere' }}>
            {content}
          </Text>
        </RemovableLine>
      ))}
      {(hidden || error || data?.total === 0) && (
        <Text c="dimmed" p={14}>
          {hidden ?? error?.message ?? 'None this month.'}
        </Text>
      )}
      {adding && <WriteNote date={from} close={() => setAdding(false)} />}
    </Section>
  )
}

function WriteNote({ date, close }: { date: string; close: () => void }) {
  const roster = useQuery(shiftsApi.roster.query({ from: date, to: date, only: 'people' }))
  const form = useCallForm(shiftsApi.addNote, {
    initial: { userId: null as number | null, date, content: '' },
    labels: { userId: 'Person', date: 'Day', content: 'Note' },
    onDone: () => {
      void readAgain(['shifts'])
      toast.success('The note is written')
      close()
    },
  })
  const userId = form.field('userId')
  return (
    <FormModal opened close={close} title="Write note" save="Write note" nothing="Nothing was saved." form={form}>
      <Select
        label="Person"
        searchable
        withAsterisk
        data={(roster.data?.people ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={userId.value === null ? null : String(userId.value)}
        onChange={(next) => userId.onChange(next === null ? null : Number(next))}
        error={userId.error}
      />
      <DateField label="Day" {...form.field('date')} />
      <Textarea label="Note" autosize minRows={3} {...form.text('content')} />
    </FormModal>
  )
}
