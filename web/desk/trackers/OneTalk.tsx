import type { Talk } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { nothingChanged } from '../../kit/form/useCallForm.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { moment } from '../../kit/look/format.ts'
import { apiOf, hintOf } from './api.ts'
import { RichText } from './RichText.tsx'

/** Edits the person's own comment or note. The history of the item keeps the former text. */
function EditTalk({ tracker, talk, close }: { tracker: Tracker; talk: Talk; close: () => void }) {
  const [body, setBody] = useState(talk.body)
  const save = async () => {
    const { id, version } = talk
    const done = await attempt(() => apiOf(tracker).updateTalk({ id, version, body }), [hintOf[tracker]])
    if (done) close()
  }
  return (
    <Stack gap={8}>
      <Textarea
        aria-label={`Your ${talk.type}`}
        autosize
        minRows={2}
        dir="auto"
        data-autofocus
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
        }}
      />
      <Group gap={8}>
        <ActButton
          size="xs"
          reason={body.trim() ? (body === talk.body ? nothingChanged() : undefined) : 'The text is empty.'}
          onClick={() => void save()}
        >
          Save
        </ActButton>
        <Button size="xs" variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

/** A comment or note, which its author can change and delete. */
export function OneTalk({ tracker, talk }: { tracker: Tracker; talk: Talk }) {
  const api = apiOf(tracker)
  const { id: userId } = useSession()
  const lacking = useReason()
  const [isEdited, setEdited] = useState(false)
  const isOwn = talk.author?.id === userId && !lacking(api.removeTalk)
  const remove = async () => {
    const sure = await confirm({ title: `Delete your ${talk.type}?`, verb: 'Delete', danger: true })
    if (sure) await attempt(() => api.removeTalk({ id: talk.id }), [hintOf[tracker]])
  }
  return (
    <article aria-label={`${talk.type} by ${talk.author?.name ?? 'somebody'}`}>
      <Group gap={8} mb={4} justify="space-between">
        <Text fz="xs" c="dimmed">
          <Text span fw={500} c="var(--ink-text)">
            {talk.author?.name ?? 'Somebody'}
          </Text>{' '}
          {talk.type === 'note' && 'internal note, '}
          {moment(talk.createdAt)}
          {talk.editedAt && ', edited'}
        </Text>
        {isOwn && !isEdited && (
          <Group gap={4}>
            <Button size="compact-xs" variant="subtle" color="secondary" onClick={() => setEdited(true)}>
              Change
            </Button>
            <Button size="compact-xs" variant="subtle" color="secondary" onClick={() => void remove()}>
              Delete
            </Button>
          </Group>
        )}
      </Group>
      {isEdited ? (
        <EditTalk tracker={tracker} talk={talk} close={() => setEdited(false)} />
      ) : (
        <RichText text={talk.body} />
      )}
    </article>
  )
}
