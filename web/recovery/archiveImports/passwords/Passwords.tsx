import type { NewPassword } from '@innkeeper/contract/recovery/archiveImports/passwords'
import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, counted, moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { archiveImportsApi } from '../api.ts'
import { touched } from '../words.ts'
import { accountKinds } from './words.ts'

const LinksModal = lazyDialog(() => import('./LinksModal.tsx'))

/** Accounts that have new passwords, and the one-use links that show them. */
export function Passwords({ one }: { one: ArchiveImportView }) {
  const lacking = useReason()
  const [chosen, setChosen] = useState<readonly NewPassword[]>()
  const { passwords } = one
  // in one go only those whose passwords stay: another password takes a workflow of its own
  const unlinked = passwords.filter(({ state, isKept }) => isKept && (state === 'waiting' || state === 'revoked'))
  const open = passwords.filter(({ state }) => state === 'open').length
  const early =
    one.status === 'verified' || one.status === 'done' ? undefined : 'Once the import is verified, links can be made.'
  const mayNot = lacking(archiveImportsApi.makeLinks) ?? early
  return (
    <Section
      title="New passwords"
      hint={`${counted(passwords.length, ['password is', 'passwords are'])} new${open ? `; ${counted(open, ['link waits', 'links wait'])} to be opened` : ''}`}
      pad={false}
    >
      <Stack gap={12} p={16}>
        <Text c="dimmed" fz="xs">
          These passwords could not be carried. A link shows one of them to its person, once.
        </Text>
        <Group gap={8}>
          <ActButton
            reason={mayNot ?? (unlinked.length ? undefined : 'Every password has a link, or had one.')}
            onClick={() => setChosen(unlinked)}
          >
            {unlinked.length > 1 ? `Make ${unlinked.length} links…` : 'Make links…'}
          </ActButton>
        </Group>
      </Stack>
      <SectionTable
        label="Accounts with new passwords"
        rows={passwords}
        maxHeight={420}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Account',
            cell: ({ login, kind }) => (
              <div>
                <Mono>{login}</Mono>
                <Text c="dimmed" fz="xs">
                  {accountKinds[kind]}
                </Text>
              </div>
            ),
          },
          {
            title: 'Link',
            cell: (row) => (
              <div>
                <StatusBadge state={row.state} />
                <Text c="dimmed" fz="xs">
                  {storyOf(row)}
                </Text>
              </div>
            ),
          },
          {
            title: '',
            align: 'right',
            width: 210,
            cell: (row) => (
              <Group gap={8} justify="flex-end" wrap="nowrap">
                {(row.state === 'open' || row.state === 'setting') && (
                  <ActButton
                    size="xs"
                    variant="default"
                    reason={lacking(archiveImportsApi.revokeLink)}
                    aria-label={`Revoke… the link for ${row.login}`}
                    onClick={() => void revoke(one.id, row)}
                  >
                    Revoke…
                  </ActButton>
                )}
                <ActButton
                  size="xs"
                  variant="default"
                  reason={mayNot ?? (row.state === 'gone' ? 'The account was deleted.' : undefined)}
                  aria-label={`${labelOf(row)} for ${row.login}`}
                  onClick={() => setChosen([row])}
                >
                  {labelOf(row)}
                </ActButton>
              </Group>
            ),
          },
        ]}
      />
      {chosen && <LinksModal importId={one.id} passwords={chosen} close={() => setChosen(undefined)} />}
    </Section>
  )
}

const labelOf = ({ state }: NewPassword) => (state === 'waiting' ? 'Make link…' : 'New link…')

/** What has become of a link. */
function storyOf({ state, until, isKept, madeAt, madeBy, openedAt, openedFrom, openedBy }: NewPassword): string {
  const made = madeAt ? `made ${ago(madeAt)} by ${madeBy}` : ''
  if (state === 'opened' && openedAt)
    return `${moment(openedAt)}, from ${openedFrom}${openedBy ? ` by ${openedBy}` : ''}`
  if (state === 'open' || state === 'setting') return `${made}, until ${moment(until)}`
  if (state === 'waiting') return isKept ? `no link yet; kept until ${moment(until)}` : 'no link yet'
  return made
}

async function revoke(importId: number, { id, login }: NewPassword): Promise<void> {
  const sure = await confirm({
    title: `Revoke the link for ${login}?`,
    text: 'It shows nothing any more. The password stays; another link can be made.',
    verb: 'Revoke link',
    danger: true,
  })
  if (sure && (await succeeds(() => archiveImportsApi.revokeLink({ id: importId, key: id }), touched)))
    toast.success('The link is revoked')
}
