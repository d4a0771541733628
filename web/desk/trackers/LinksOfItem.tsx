import type { ItemPage, Link } from '@innkeeper/contract/desk/trackers/shapes'
import { type LinkKind, linkKinds, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { pathOf } from '../../paths.ts'
import { apiOf, hintOf } from './api.ts'
import { itemPath } from './trackerInfo.ts'
import css from './trackers.module.css'

const names: Record<Link['kind'], readonly [out: string, into: string]> = {
  blocks: ['Blocks', 'Blocked by'],
  relates: ['Relates to', 'Relates to'],
  duplicate: ['Duplicate of', 'Has the duplicate'],
  website: ['Website', 'Website'],
  server: ['Server', 'Server'],
  workflow: ['Workflow', 'Workflow'],
  review: ['Review', 'Review'],
}
const addressOf = ({ kind, tracker, targetId }: Link): string | undefined => {
  if (tracker) return itemPath(tracker, targetId)
  return kind === 'workflow' || kind === 'review' ? undefined : pathOf(kind, targetId)
}

/** Links to other items, websites, servers, workflows and reviews, and the merge into another item. */
export default function LinksOfItem({ tracker, item }: { tracker: Tracker; item: ItemPage }) {
  const api = apiOf(tracker)
  const lacking = useReason()
  const [reason, mergeReason] = [lacking(api.link), lacking(api.merge)]
  const [isAdding, setAdding] = useState(false)
  const { id } = item
  const remove = (link: Link) =>
    link.kind === 'duplicate'
      ? attempt(() => api.merge({ id, of: null, version: item.version }), [hintOf[tracker]])
      : attempt(() => api.unlink({ id, linkId: link.id }), [hintOf[tracker]])
  return (
    <Section
      title="Links"
      aside={
        !reason &&
        !isAdding && (
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            Add link
          </Button>
        )
      }
    >
      <Stack gap={10}>
        {item.links.length === 0 && !isAdding && <Text c="dimmed">No link to another item, website or server.</Text>}
        {item.links.map((link) => {
          // a deleted item still has its page; other deleted objects have no page
          const to = link.isGone && !link.tracker ? undefined : addressOf(link)
          const label = link.label ?? `${link.targetId}${link.isGone ? '' : ', which you may not see'}`
          return (
            <div key={`${link.kind} ${link.direction} ${link.id}`} className={css.side}>
              <Text className={css.name} td={link.isClosed ? 'line-through' : undefined}>
                {names[link.kind][link.direction === 'out' ? 0 : 1]}{' '}
                {to && link.label ? <LinkTo to={to}>{label}</LinkTo> : label}
                {link.isGone && (
                  <Text span c="dimmed">
                    {' (deleted)'}
                  </Text>
                )}
              </Text>
              {!(link.kind === 'duplicate' ? link.direction === 'in' || mergeReason : reason) && (
                <ActionIcon
                  variant="subtle"
                  color="secondary"
                  aria-label={`Remove the link ${label}`}
                  onClick={() => void remove(link)}
                >
                  <IconX size={14} />
                </ActionIcon>
              )}
            </div>
          )
        })}
        {!reason && isAdding && <AddLink tracker={tracker} item={item} />}
      </Stack>
    </Section>
  )
}

function AddLink({ tracker, item: { id, version } }: { tracker: Tracker; item: ItemPage }) {
  const api = apiOf(tracker)
  const mergeReason = useReason()(api.merge)
  const [kind, setKind] = useState<LinkKind | 'duplicate'>('relates')
  const [target, setTarget] = useState('')
  const isItem = kind === 'blocks' || kind === 'relates' || kind === 'duplicate'
  const add = async () => {
    const text = target.trim()
    const linked = await attempt(
      () =>
        kind === 'duplicate'
          ? api.merge({ id, of: text, version })
          : api.link({ id, kind, ...(isItem ? { targetKey: text } : { targetId: Number(text) }) }),
      [hintOf[tracker]],
    )
    if (linked) setTarget('')
  }
  return (
    <>
      <Group gap={8} align="flex-end" wrap="nowrap">
        <Select
          label="Link"
          w={150}
          allowDeselect={false}
          data={[...linkKinds, 'duplicate' as const].map((value) => ({
            value,
            label: names[value][0],
            disabled: value === 'duplicate' && mergeReason !== undefined,
          }))}
          value={kind}
          onChange={(value) => setKind((value ?? 'relates') as typeof kind)} // the options are our own
        />
        <TextInput
          label={isItem ? 'Key' : 'Number'}
          placeholder={isItem ? 'BUG-142' : '12'}
          autoFocus
          style={{ flex: 1 }}
          value={target}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
        />
        <ActButton
          variant="default"
          reason={target.trim() ? undefined : 'Type a number first.'}
          onClick={() => void add()}
        >
          Add
        </ActButton>
      </Group>
      {mergeReason && (
        <Text c="dimmed" fz="xs">
          Marking as a duplicate: {mergeReason}
        </Text>
      )}
    </>
  )
}
