import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { profilesApi } from '../../../access/profiles/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { clockText, dayText, rangeText } from '../../../kit/calendar/days.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { Facts } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { eventsApi } from '../api.ts'
import { calendarEventTexts } from '../texts.ts'
import { DayForm } from './DayForm.tsx'
import type { EntryItem } from './entries.ts'

/** Details of a calendar entry, with its actions. */
export default function EntryModal({ item, zone, close }: { item: EntryItem; zone: string; close: () => void }) {
  const words = calendarEventTexts()
  const { entry, label, minutes, note } = item
  const time = minutes ? `, ${clockText(minutes[0])}–${clockText(minutes[1])} (${zone.replaceAll('_', ' ')})` : ''
  const when =
    entry.from === entry.to
      ? `${dayText(entry.from, 'long')} ${entry.from.slice(0, 4)}`
      : rangeText(entry.from, entry.to)
  return (
    <Dialog opened onClose={close} title={label} size={480}>
      <Stack gap={18}>
        <Facts
          of={[[words.when, `${when}${time}`], ...(note ? [[words.what, note] satisfies [string, string]] : [])]}
        />
        {entry.free && <Text c="dimmed">{words.dayOff}</Text>}
        {entry.kind === 'repeatable' && <RepeatActs item={item} close={close} />}
        {entry.kind === 'national' && <NationalActs id={entry.id} />}
        {entry.kind === 'birthday' && <BirthdayActs userId={entry.id} />}
      </Stack>
    </Dialog>
  )
}

function RepeatActs({ item, close }: { item: EntryItem; close: () => void }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const [editing, setEditing] = useState(false)
  const { id, occurrence, from } = item.entry
  if (id === null) return null
  const day = occurrence ?? from
  if (editing) return <DayForm id={id} occurrence={day} close={close} />
  const edit = (reach: 'following' | 'all') =>
    void navigate({
      to: '/calendar/events/repeatable-event/$eventId',
      params: { eventId: String(id) },
      search: reach === 'all' ? {} : { reach, occurrence: day },
    })
  const remove = async (reach: 'one' | 'following') => {
    const isOne = reach === 'one'
    const sure = await confirm({
      title: isOne
        ? `Cancel ${item.label} on ${dayText(day, 'short')}?`
        : `End ${item.label} before ${dayText(day, 'short')}?`,
      text: isOne ? 'The other days stay.' : 'This day and all later ones are deleted; earlier ones stay.',
      verb: isOne ? 'Cancel day' : 'End event',
      danger: true,
    })
    if (!sure) return
    const done = await succeeds(() => eventsApi.removeRepeatable({ id, reach, occurrence: day }), ['calendarEvents'])
    if (done)
      toast.success(isOne ? `${item.label} is cancelled on ${dayText(day, 'short')}` : `${item.label} has an end`)
    close()
  }
  const noChange = lacking(eventsApi.updateRepeatable)
  const noRemoval = lacking(eventsApi.removeRepeatable)
  return (
    <Group gap={8}>
      <ActButton reason={noChange} onClick={() => setEditing(true)}>
        Change this day…
      </ActButton>
      <ActButton variant="default" reason={noChange} onClick={() => edit('following')}>
        This and following…
      </ActButton>
      <ActButton variant="default" reason={noChange} onClick={() => edit('all')}>
        All days…
      </ActButton>
      <ActButton variant="subtle" color="error" reason={noRemoval} onClick={() => void remove('one')}>
        Cancel this day…
      </ActButton>
      <ActButton variant="subtle" color="error" reason={noRemoval} onClick={() => void remove('following')}>
        End it here…
      </ActButton>
    </Group>
  )
}

function NationalActs({ id }: { id: number | null }) {
  const reason = useReason()(eventsApi.updateNational)
  if (id === null) return <Text c="dimmed">{calendarEventTexts().fromLibrary}</Text>
  if (reason) return null
  return (
    <Group>
      <LinkButton to="/calendar/events/national-event/$eventId" params={{ eventId: String(id) }}>
        Change national event
      </LinkButton>
    </Group>
  )
}

function BirthdayActs({ userId }: { userId: number | null }) {
  const reason = useReason()(profilesApi.list)
  const navigate = useNavigate()
  if (userId === null || reason) return null
  return (
    <Group>
      <Button
        variant="default"
        onClick={() => void navigate({ to: '/profile/$userId', params: { userId: String(userId) } })}
      >
        {calendarEventTexts().openProfile}
      </Button>
    </Group>
  )
}
