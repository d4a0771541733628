import type { RepeatableEvent } from '@innkeeper/contract/planning/calendarEvents/repeatable'
import { Button, Group, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateTimeField } from '../../../kit/form/DateTimeField.tsx'
import { FormNotes } from '../../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { eventsApi } from '../api.ts'

interface Props {
  id: number
  occurrence: string
  close: () => void
}

/** Changes one occurrence of a repeating event. */
export function DayForm(props: Props) {
  const query = useQuery(eventsApi.repeatable.query({ id: props.id }))
  if (query.error) return <ErrorLine error={query.error} />
  return query.data ? <Fields {...props} event={query.data} /> : <Skeleton h={160} />
}

function Fields({ id, occurrence, close, event }: Props & { event: RepeatableEvent }) {
  const valuesOf = (stored: RepeatableEvent) => {
    const changed = stored.changes.find((change) => change.occurrence === occurrence)
    return {
      title: changed?.title ?? stored.title,
      startLocal: changed?.startLocal ?? `${occurrence}${stored.startLocal.slice(10)}`,
      durationMin: String(changed?.durationMin ?? stored.durationMin),
      location: changed?.location ?? stored.location ?? '',
    }
  }
  const form = useCallForm(eventsApi.updateRepeatable, {
    initial: valuesOf(event),
    fixed: { id, version: event.version, reach: 'one', occurrence },
    valuesOf,
    labels: { title: 'Title', startLocal: 'Begins', durationMin: 'Minutes', location: 'Place' },
    onDone: () => {
      void readAgain(['calendarEvents'])
      toast.success(`${event.title} is changed on ${dayText(occurrence, 'short')}`)
      close()
    },
  })
  return (
    <form {...form.form}>
      <Stack gap={18}>
        <FormNotes form={form} nothing="Nothing was saved." />
        <TextInput label="Title" autoComplete="off" data-autofocus {...form.text('title')} />
        <SimpleGrid cols={2} spacing={12}>
          <DateTimeField label="Begins" zone={event.timeZone} {...form.field('startLocal')} />
          <TextInput label="Minutes" inputMode="numeric" {...form.text('durationMin')} />
        </SimpleGrid>
        <TextInput label="Place" autoComplete="off" {...form.text('location')} />
        <Group justify="space-between" wrap="nowrap">
          <Text c="dimmed" fz="xs">
            {form.wanting ?? 'The other days stay as they are.'}
          </Text>
          <Group gap={8} wrap="nowrap">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <ActButton type="submit" loading={form.busy} reason={form.lack}>
              Save day
            </ActButton>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
