import type { Change, ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { useState } from 'react'
import { Section } from '../../kit/frame/Section.tsx'
import { SkeletonLines } from '../../kit/frame/Skeletons.tsx'
import { counted } from '../../kit/look/format.ts'
import { Timeline, type TimelineEntry } from '../../kit/timeline/Timeline.tsx'
import { useLatest } from './useLatest.ts'

/** Changes that are shown at first. */
const SHORT = 10

const short = (text: string | null) => (text === null ? 'none' : text.length > 120 ? `${text.slice(0, 120)}…` : text)

const entryOf = ({ id, at, by, field, before, after }: Change): TimelineEntry => ({
  id,
  at,
  title:
    field === 'created' || field === 'imported'
      ? `${by?.name ?? 'Somebody'} ${field} it`
      : `${by?.name ?? 'Innkeeper'}: ${field}`,
  ...(field !== 'created' && field !== 'imported' && { note: `${short(before)} → ${short(after)}` }),
})

/** Changes of each field, the latest first. */
export default function HistoryOfItem({ tracker, item: { id } }: { tracker: Tracker; item: ItemPage }) {
  const [isWhole, setWhole] = useState(false)
  const { items, total, isRead, hasMore, isBusy, more } = useLatest<Change>(tracker, id, 'history')
  if (!isRead) return <SkeletonLines />
  const shown = isWhole ? items : items.slice(0, SHORT)
  return (
    <Section title="History" hint={`${counted(total, ['change', 'changes'])}`}>
      <Timeline
        label="History"
        entries={shown.map(entryOf)}
        {...((hasMore || shown.length < items.length) && {
          more: { label: 'Show more', busy: isBusy, onMore: () => (isWhole ? more() : setWhole(true)) },
        })}
      />
    </Section>
  )
}
