import type { ItemPage, Talk } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Button, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Composer } from '../../kit/conversation/Composer.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { SkeletonLines } from '../../kit/frame/Skeletons.tsx'
import { apiOf, hintOf } from './api.ts'
import { OneTalk } from './OneTalk.tsx'
import { useChoices } from './useFilters.ts'
import { useLatest } from './useLatest.ts'

type Type = Talk['type']

/** Comments and internal notes in one order, and the field for new ones. */
export default function TalkOfItem({ tracker, item }: { tracker: Tracker; item: ItemPage }) {
  const api = apiOf(tracker)
  const { id } = item
  const lacking = useReason()
  const choices = useChoices(tracker)
  const [type, setType] = useState<Type>('comment')
  const lists = [useLatest<Talk>(tracker, id, 'comments'), useLatest<Talk>(tracker, id, 'notes')]
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
        {!lists.every(({ isRead }) => isRead) && <SkeletonLines />}
        {all.map((talk) => (
          <OneTalk key={talk.id} tracker={tracker} talk={talk} />
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
          draftName={`tracker.${tracker}.${id}.${type}`}
          isNote={type === 'note'}
          verb={type === 'note' ? 'Add note' : 'Comment'}
          search={search}
          reason={item.deletedAt ? 'The item is deleted.' : lacking(call)}
          onSend={async ({ text, mentions, files }) => {
            if (files.length) await api.attach({ id, files })
            if (text) await call({ id, body: text, mentions })
            void readAgain([hintOf[tracker]])
          }}
        />
      </Stack>
    </Section>
  )
}
