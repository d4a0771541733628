import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../kit/dialogs/toast.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { featuresApi } from './api.ts'
import css from './trackers.module.css'

const monthAgo = () => new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)

/** What was completed in a period, as text to send. */
export default function ReleaseNoteScreen() {
  const [dateFrom, setFrom] = useState(monthAgo)
  const [dateTo, setTo] = useState('')
  const query = useQuery({ ...featuresApi.releaseNote.query({ dateFrom, dateTo }), enabled: dateFrom !== '' })
  const note = query.data
  const copy = async () => {
    await navigator.clipboard.writeText(note?.text ?? '')
    toast.success('The release note is copied')
  }
  return (
    <Screen
      actions={
        <ActButton reason={note ? undefined : 'There is no note to copy.'} onClick={() => void copy()}>
          Copy text
        </ActButton>
      }
    >
      <Stack gap={16} maw={820}>
        <Group align="flex-start">
          <DateField
            label="From"
            name="dateFrom"
            required
            value={dateFrom}
            onChange={setFrom}
            onBlur={() => undefined}
          />
          <DateField
            label="Until"
            name="dateTo"
            required={false}
            value={dateTo}
            onChange={setTo}
            onBlur={() => undefined}
          />
        </Group>
        {query.error && <Text c="error">{query.error.message}</Text>}
        {note && (
          <Section
            title="Release note"
            hint={`${counted(note.features, ['feature request', 'feature requests'])}, ${counted(note.bugs, ['bug', 'bugs'])}`}
          >
            <pre className={css.note}>{note.text}</pre>
          </Section>
        )}
      </Stack>
    </Screen>
  )
}
