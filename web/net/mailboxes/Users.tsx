import type { MailboxDetails, MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { AddMailbox } from './AddMailbox.tsx'
import { removeUser } from './acts.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'
import { PasswordOnce } from './PasswordOnce.tsx'
import { Stopped } from './users/Stopped.tsx'
import { notChangeable, usage, userStatus, whyNot } from './words.ts'

const CsvModal = lazyDialog(() => import('./CsvModal.tsx'))

/** The mailboxes of a mail domain. */
export function Users({ mailbox }: { mailbox: MailboxDetails }) {
  const lacking = useReason()
  const [adding, setAdding] = useState(false)
  const [many, setMany] = useState(false)
  const [made, setMade] = useState<{ address: string; password: string }>()
  const busy = notChangeable(mailbox)
  return (
    <Section
      title="Mailboxes"
      hint={mailbox.items.length ? counted(mailbox.items.length, ['mailbox', 'mailboxes']) : undefined}
      pad={mailbox.items.length === 0}
      aside={
        <Group gap={8}>
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(mailboxesApi.addCsv) ?? busy}
            onClick={() => setMany(true)}
          >
            From a CSV…
          </ActButton>
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(mailboxesApi.createUser) ?? busy}
            onClick={() => setAdding(true)}
          >
            Create mailbox…
          </ActButton>
        </Group>
      }
    >
      {mailbox.items.map((user) => (
        <Line key={user.id} user={user} busy={busy} />
      ))}
      {mailbox.items.length === 0 && <Text c="dimmed">None yet: mail to {mailbox.domain} is refused.</Text>}
      {adding && (
        <AddMailbox
          mailbox={mailbox}
          close={() => setAdding(false)}
          onPassword={(address, password) => setMade({ address, password })}
        />
      )}
      {many && <CsvModal mailbox={mailbox} close={() => setMany(false)} />}
      {made && <PasswordOnce {...made} close={() => setMade(undefined)} />}
    </Section>
  )
}

function Line({ user, busy }: { user: MailboxUser; busy: string | undefined }) {
  const lacking = useReason()
  const status = userStatus(user)
  const about = [
    user.name,
    usage(user),
    user.forwards.length ? `forwards to ${user.forwards.join(', ')}` : '',
    user.autoReply ? 'answers automatically' : '',
    whyNot(user) ?? '',
  ]
  return (
    <div className={css.line}>
      <div className={css.grow}>
        <Group gap={10}>
          <LinkTo to="/mailboxes/users/edit/$userId" params={{ userId: String(user.id) }}>
            {user.address}
          </LinkTo>
          {status !== 'active' && <StatusBadge state={status} />}
        </Group>
        <Text c="dimmed" fz="xs">
          {about.filter(Boolean).join(' · ')}
        </Text>
        {user.stoppedAt && <Stopped user={user} />}
      </div>
      <ActButton
        size="xs"
        variant="default"
        reason={lacking(mailboxesApi.removeUser) ?? busy}
        onClick={() => void removeUser(user)}
      >
        Delete…
      </ActButton>
    </div>
  )
}
