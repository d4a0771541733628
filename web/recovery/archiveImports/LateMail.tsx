import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { archiveImportsApi } from './api.ts'
import { touched } from './words.ts'

const LateMailModal = lazyDialog(() => import('./LateMailModal.tsx'))

type LateBoxes = NonNullable<ArchiveImportView['lateMail']>['boxes']

/** Mail that still arrives at the former server after the cut-over. */
export function LateMail({ one }: { one: ArchiveImportView }) {
  const lacking = useReason()
  const { busy, run } = useAct()
  const [opened, setOpened] = useState(false)
  const { lateMail } = one
  const goesOn = lateMail?.boxes.some(({ endedAt }) => endedAt === null) ?? false
  const stop = async () => {
    const sure = await confirm({
      title: 'Fetch no more mail?',
      text: 'Innkeeper forgets the passwords of the former server. Mail that came stays.',
      verb: 'Stop fetching',
    })
    if (sure) await run(() => attempt(() => archiveImportsApi.stopLate({ id: one.id }), touched))
  }
  return (
    <Section
      title="Late mail"
      hint={
        goesOn && lateMail
          ? `fetched each hour from ${lateMail.host} until ${moment(lateMail.until)}`
          : 'mail that still arrives at the former server'
      }
      pad={false}
    >
      <Stack gap={12} p={16}>
        <Text c="dimmed" fz="xs">
          Some mail servers keep the former address for days. Their mail is fetched over IMAP until a date; what is here
          already does not come twice.
        </Text>
        <Group gap={8}>
          <ActButton
            variant={goesOn ? 'default' : undefined}
            reason={lacking(archiveImportsApi.fetchLate)}
            onClick={() => setOpened(true)}
          >
            {goesOn ? 'Change…' : 'Fetch late mail…'}
          </ActButton>
          {goesOn && (
            <ActButton
              variant="default"
              loading={busy}
              reason={lacking(archiveImportsApi.stopLate)}
              onClick={() => void stop()}
            >
              Stop fetching…
            </ActButton>
          )}
        </Group>
      </Stack>
      {lateMail && <Boxes rows={lateMail.boxes} />}
      {opened && <LateMailModal one={one} close={() => setOpened(false)} />}
    </Section>
  )
}

const stateOf = ({ endedAt, problem, fetchedAt }: LateBoxes[number]) =>
  problem ? 'failed' : endedAt ? 'done' : fetchedAt ? 'active' : 'waiting'

const Boxes = ({ rows }: { rows: LateBoxes }) => (
  <SectionTable
    label="Mailboxes whose late mail is fetched"
    rows={rows}
    maxHeight={420}
    keyOf={({ userId }) => userId}
    columns={[
      {
        title: 'Mailbox',
        cell: ({ address, login, problem }) => (
          <div>
            <Mono>{address}</Mono>
            {login !== address && (
              <Text c="dimmed" fz="xs">
                signs in as {login}
              </Text>
            )}
            {problem && (
              <Text c="error" fz="xs">
                {problem}
              </Text>
            )}
          </div>
        ),
      },
      { title: 'Messages', align: 'right', width: 100, cell: ({ added }) => added },
      { title: 'Fetched', width: 140, cell: ({ fetchedAt }) => (fetchedAt ? ago(fetchedAt) : '–') },
      { title: 'State', width: 110, cell: (row) => <StatusBadge state={stateOf(row)} /> },
    ]}
  />
)
