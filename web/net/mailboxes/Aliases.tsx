import type { MailAlias, MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { AliasModal } from './AliasModal.tsx'
import { removeAlias } from './acts.ts'
import { mailboxesApi } from './api.ts'
import { CatchAll } from './CatchAll.tsx'
import css from './Mailboxes.module.css'
import { notChangeable } from './words.ts'

/** Aliases, distribution lists and the catch-all address of a mail domain. */
export function Aliases({ mailbox }: { mailbox: MailboxDetails }) {
  const lacking = useReason()
  const [editing, setEditing] = useState<MailAlias | 'new'>()
  const reason = lacking(mailboxesApi.setAlias) ?? notChangeable(mailbox)
  return (
    <Section
      title="Aliases"
      hint={mailbox.aliases.length ? counted(mailbox.aliases.length, ['alias', 'aliases']) : undefined}
      pad={false}
      aside={
        <ActButton size="xs" variant="default" reason={reason} onClick={() => setEditing('new')}>
          Create alias…
        </ActButton>
      }
    >
      {mailbox.aliases.map((alias) => (
        <div key={alias.id} className={css.line}>
          <div className={css.grow}>
            <Text fw={450}>{alias.address}</Text>
            <Text c="dimmed" fz="xs">
              goes to {alias.targets.join(', ')}
            </Text>
          </div>
          <Group gap={8}>
            <ActButton size="xs" variant="default" reason={reason} onClick={() => setEditing(alias)}>
              Change…
            </ActButton>
            <ActButton size="xs" variant="default" reason={reason} onClick={() => void removeAlias(mailbox, alias)}>
              Delete…
            </ActButton>
          </Group>
        </div>
      ))}
      <CatchAll mailbox={mailbox} />
      {editing && (
        <AliasModal
          mailbox={mailbox}
          alias={editing === 'new' ? undefined : editing}
          close={() => setEditing(undefined)}
        />
      )}
    </Section>
  )
}
