import type { MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import type { MailStory } from '@innkeeper/contract/net/mailboxes/mailTrace'
import { Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { moment } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'

const badges = {
  delivered: 'done',
  sent: 'done',
  bounced: 'failed',
  refused: 'failed',
  deleted: 'deleted',
  waiting: 'waiting',
  unknown: 'unknown',
} as const

/** Where mail of the domain went, from the logs of the last ten days. */
export function Trace({ mailbox }: { mailbox: MailboxDetails }) {
  const lacking = useReason()
  const { busy, run } = useAct()
  const [about, setAbout] = useState('')
  const [found, setFound] = useState<{ items: MailStory[]; more: boolean }>()
  const stories = found?.items
  const find = () =>
    run(async () => {
      const typed = about.trim().replace(/^<|>$/g, '')
      const isOwn = typed.toLowerCase().endsWith(`@${mailbox.domain}`)
      const { items, more } = await mailboxesApi.trace({
        id: mailbox.id,
        ...(typed && (isOwn ? { address: typed } : { messageId: typed })),
      })
      setFound({ items, more })
    })
  return (
    <Section title="Where did the mail go" pad={!stories?.length}>
      <Group gap={8} px={stories?.length ? 14 : 0} py={stories?.length ? 10 : 0}>
        <TextInput
          aria-label="Address or message id"
          placeholder={`An address of ${mailbox.domain} or a message id; empty: all`}
          className={css.grow}
          value={about}
          onChange={({ currentTarget }) => setAbout(currentTarget.value)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') void find()
          }}
        />
        <ActButton variant="default" loading={busy} reason={lacking(mailboxesApi.trace)} onClick={() => void find()}>
          Find
        </ActButton>
      </Group>
      {stories?.length === 0 && (
        <Text c="dimmed" mt={10}>
          Nothing in the logs of the last ten days.
        </Text>
      )}
      {stories?.map((story) => (
        <div key={`${story.id} ${story.at}`} className={css.line}>
          <div className={css.grow}>
            <Group gap={10}>
              <StatusBadge state={badges[story.outcome]} />
              <Text fw={450}>
                {story.from || 'no sender'} → {story.to.join(', ') || '?'}
              </Text>
            </Group>
            {story.steps.map((step) => (
              <Text key={`${step.at} ${step.what} ${step.text}`} c="dimmed" fz="xs">
                {moment(step.at)} · {step.what} {step.text}
              </Text>
            ))}
            {story.leftOut > 0 && (
              <Text c="dimmed" fz="xs">
                {story.leftOut} more lines of this message are left out.
              </Text>
            )}
          </div>
        </div>
      ))}
      {found?.more && (
        <Text c="dimmed" fz="xs" px={14} py={10}>
          These are the newest. Older ones are left out: look for an address or a message id.
        </Text>
      )}
    </Section>
  )
}
