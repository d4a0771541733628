import type { TimelineEntry } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import { type TimelineKind, timelineKinds } from '@innkeeper/contract/quality/dossiers/values'
import { Chip, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../../kit/access/session.ts'
import { writeDay } from '../../../kit/form/dates.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import type { Shape } from '../../../kit/look/Glyph.tsx'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import type { Colour } from '../../../palette.ts'
import css from '../dossiers.module.css'
import { kindNames, visibilityNames } from '../words.ts'
import { useTimeline } from './useTimeline.ts'

const marks: Record<TimelineKind, { shape: Shape; colour: Colour }> = {
  feedback: { shape: 'dot', colour: 'primary' },
  comment: { shape: 'ring', colour: 'secondary' },
  'chat-comment': { shape: 'ring', colour: 'info' },
  'ticket-comment': { shape: 'ring', colour: 'info' },
  review: { shape: 'check', colour: 'success' },
  escalation: { shape: 'bang', colour: 'warning' },
  audit: { shape: 'check', colour: 'accent' },
  team: { shape: 'info', colour: 'secondary' },
  talk: { shape: 'half', colour: 'accent' },
}

interface Whose {
  userId: number
  isOwn: boolean
}

function pathOf(
  { kind, id, conversationId, conversationKind }: TimelineEntry,
  { userId, isOwn }: Whose,
): string | undefined {
  if (kind === 'feedback') return `/dossiers/${userId}/feedbacks/${id}`
  if (kind === 'talk') return `/dossiers/talks/${id}`
  if (kind === 'escalation') return `/qc/escalations/${id}`
  if (kind === 'audit') return isOwn ? '/scrums/my' : `/scrums/dev-audit/${userId}`
  return conversationId && conversationKind ? `/qc/${conversationKind}s/${conversationId}` : undefined
}

/** All stored entries about a person, with a filter per kind. */
export function PersonTimeline({ id, only }: { id: number; only?: readonly TimelineKind[] }) {
  const me = useSession()
  const [kinds, setKinds] = useState<TimelineKind[]>([])
  const found = useTimeline(id, only ?? kinds)
  const [first] = found.data?.pages ?? []
  const entries = found.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Stack gap={12}>
      {!only && first && (
        <Chip.Group
          multiple
          value={kinds}
          onChange={(next) => setKinds(timelineKinds.filter((kind) => next.includes(kind)))}
        >
          <Group gap={6}>
            {first.kinds.map((kind) => (
              <Chip key={kind} value={kind} size="xs">
                {kindNames[kind]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      )}
      {found.error && <Text c="error">{found.error.message}</Text>}
      {found.isPending ? (
        <Skeleton h={240} />
      ) : (
        <Timeline
          label="Timeline"
          empty="Nothing is kept that you may read."
          entries={entries.map((entry) => shownOf(entry, { userId: id, isOwn: me.id === id }))}
          {...(found.hasNextPage && {
            more: { label: 'Earlier', busy: found.isFetchingNextPage, onMore: () => void found.fetchNextPage() },
          })}
        />
      )}
    </Stack>
  )
}

const Day = ({ at }: { at: string }) => (
  <Text c="dimmed" fz="xs" className="num">
    {writeDay(at.slice(0, 10))}
  </Text>
)

function shownOf(entry: TimelineEntry, whose: Whose) {
  const { kind, id, at, by, title, text, visibility, score } = entry
  const path = pathOf(entry, whose)
  const name = score === null ? title : `${title}: ${Math.round(score)}`
  const notes = [by?.name, visibility && visibilityNames[visibility]].filter(Boolean)
  return {
    id: `${kind} ${id}`,
    at,
    mark: marks[kind],
    title: path ? <LinkTo to={path}>{name}</LinkTo> : name,
    // a membership begins on a day, in no time zone
    ...(kind === 'team' && { aside: <Day at={at} /> }),
    ...(notes.length && { note: notes.join(', ') }),
    ...(text && {
      children: (
        <Text dir="auto" lineClamp={6} className={css.prose}>
          {text}
        </Text>
      ),
    }),
  }
}
