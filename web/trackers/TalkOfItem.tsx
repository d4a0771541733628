import type { ItemPage, Talk } from '@innkeeper/contract/trackers/shapes'
import type { Face } from '@innkeeper/contract/trackers/values'
import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { useSession } from '../kit/access/session.ts'
import { attempt } from '../kit/api/attempt.ts'
import { readAgain } from '../kit/api/readAgain.ts'
import { Composer } from '../kit/conversation/Composer.tsx'
import { confirm } from '../kit/dialogs/dialogs.ts'
import { Section } from '../kit/frame/Section.tsx'
import { moment } from '../kit/look/format.ts'
import { apiOf, hintOf } from './api.ts'
import { RichText } from './RichText.tsx'
import { useChoices } from './useFilters.ts'
import { useLatest } from './useLatest.ts'

type Type = Talk['type']

/** Comments and internal notes in one order, and the field for new ones. */
export default function TalkOfItem({ face, item }: { face: Face; item: ItemPage }) {
  const api = apiOf(face)
  const { id } = item
  const lacking = useReason()
  const choices = useChoices(face)
  const [type, setType] = useState<Type>('comment')
  const lists = [useLatest<Talk>(face, id, 'comments'), useLatest<Talk>(face, id, 'notes')]
  const total = lists.reduce((sum, list) => sum + list.total, 0)
  // a list with unread pages may have entries between older ones: hide all that is older than its oldest entry
  const since = Math.max(0, ...lists.map(({ hasMore, items }) => (hasMore ? (items.at(-1)?.id ?? 0) : 0)))
  const all = lists
    .flatMap(({ items }) => items)
    .filter((talk) => talk.id >= since)
    .sort((a, b) => a.id - b.id)
  const older = lists.filter(({ hasMore, items }) => hasMore && items.at(-1)?.id === since)
  const call = type === 'comment' ? api.comment : api.note
  const search = (words: string) => {
    const found = (choices?.people ?? []).filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()))
    return Promise.resolve(found.slice(0, 8))
  }
  return (
    <Section title="Comments and notes" hint={total ? String(total) : undefined}>
      <Stack gap={14}>
        {total > all.length && older.length > 0 && (
          <Button
            size="xs"
            variant="default"
            w="fit-content"
            loading={older.some(({ isBusy }) => isBusy)}
            onClick={() => {
              for (const list of older) list.more()
            }}
          >
            Show earlier: {total - all.length} more
          </Button>
        )}
        {all.map((talk) => (
          <OneTalk key={talk.id} face={face} talk={talk} />
        ))}
        <SegmentedControl
          size="xs"
          w="fit-content"
          value={type}
          onChange={(value) => setType(value === 'note' ? 'note' : 'comment')}
          data={[
            { value: 'comment', label: 'Comment' },
            { value: 'note', label: 'Internal note' },
          ]}
        />
        <Composer
          key={type}
          label={type === 'note' ? 'Internal note' : 'Comment'}
          draftName={`tracker.${face}.${id}.${type}`}
          isNote={type === 'note'}
          verb={type === 'note' ? 'Add note' : 'Comment'}
          search={search}
          reason={item.deletedAt ? 'The item is deleted.' : lacking(call)}
          onSend={async ({ text, mentions, files }) => {
            if (files.length) await api.attach({ id, files })
            if (text) await call({ id, body: text, mentions })
            void readAgain([hintOf[face]])
          }}
        />
      </Stack>
    </Section>
  )
}

/** Edits the person's own comment or note. The history of the item keeps the former text. */
function EditTalk({ face, talk, close }: { face: Face; talk: Talk; close: () => void }) {
  const [body, setBody] = useState(talk.body)
  const save = async () => {
    const { id, version } = talk
    const done = await attempt(() => apiOf(face).updateTalk({ id, version, body }), [hintOf[face]])
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
        <Button size="xs" disabled={!body.trim() || body === talk.body} onClick={() => void save()}>
          Save
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

function OneTalk({ face, talk }: { face: Face; talk: Talk }) {
  const api = apiOf(face)
  const { id: userId } = useSession()
  const lacking = useReason()
  const [isEdited, setEdited] = useState(false)
  const isOwn = talk.author?.id === userId && !lacking(api.removeTalk)
  const remove = async () => {
    const sure = await confirm({ title: `Delete your ${talk.type}?`, verb: 'Delete', danger: true })
    if (sure) await attempt(() => api.removeTalk({ id: talk.id }), [hintOf[face]])
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
      {isEdited ? <EditTalk face={face} talk={talk} close={() => setEdited(false)} /> : <RichText text={talk.body} />}
    </article>
  )
}
