import type { Backup } from '@innkeeper/contract/recovery/backups/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { bytes, count, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { cancel, drill, pause, resume } from './acts.ts'
import { backupsApi } from './api.ts'
import { isRunning } from './BackupActs.tsx'
import { pausedText, stateOf } from './columns.tsx'
import { Note } from './Note.tsx'
import { Tree } from './restore/Tree.tsx'
import { kindWords, partWords } from './words.ts'

const RestoreModal = lazyDialog(() => import('./restore/RestoreModal.tsx'))

export default function BackupScreen() {
  const { backupId } = useParams({ strict: false })
  const query = useQuery(backupsApi.one.query({ id: Number(backupId) }))
  const { data: backup } = query
  const lacking = useReason()
  const [restoring, setRestoring] = useState<{ paths?: string[] }>()
  const busy = backup && isRunning(backup) ? 'This backup is running. Wait for it.' : undefined
  const files = backup?.parts.find(({ resource, snapshot }) => resource === 'website' && snapshot)
  const nothing = backup?.parts.some(({ snapshot }) => snapshot)
    ? undefined
    : 'This backup contains nothing to restore.'
  return (
    <Screen
      query={query}
      title={backup ? `${backup.domain}, ${moment(backup.startedAt ?? backup.createdAt)}` : 'Backup'}
      actions={
        backup && (
          <Group gap={8} wrap="nowrap">
            {isRunning(backup) && <StopActs backup={backup} />}
            <ActButton
              variant="default"
              reason={lacking(backupsApi.drill) ?? busy ?? nothing}
              onClick={() => void drill(backup)}
            >
              Prove
            </ActButton>
            <ActButton reason={lacking(backupsApi.restore) ?? busy ?? nothing} onClick={() => setRestoring({})}>
              Restore…
            </ActButton>
          </Group>
        )
      }
    >
      {backup && (
        <Stack gap={14}>
          <Section title="Backup">
            {backup.error && <Note>{backup.error}</Note>}
            <Facts
              of={[
                [
                  'Status',
                  <Group key="status" gap={8}>
                    <StatusBadge state={stateOf(backup)} />
                    {pausedText(backup)}
                  </Group>,
                ],
                [
                  'Website',
                  <LinkTo key="website" to="/websites/$id" params={{ id: String(backup.websiteId) }}>
                    {backup.domain}
                  </LinkTo>,
                ],
                ['Contents', kindWords[backup.kind]],
                ['Size', backup.bytes === null ? '–' : `${bytes(backup.bytes)}, ${bytes(backup.added ?? 0)} of it new`],
                ['From', `${backup.serverName} to ${backup.backupServerName}`],
                [
                  'Off site',
                  backup.copiedAt
                    ? `copied to ${backup.copiedTo ?? 'another server'} ${moment(backup.copiedAt)}`
                    : 'not copied',
                ],
                ['Ended', backup.endedAt ? moment(backup.endedAt) : 'not yet'],
                [
                  'Proven',
                  backup.provenAt
                    ? `restored as a test ${moment(backup.provenAt)}${provenOn(backup)}`
                    : 'not restored as a test yet',
                ],
                ['Kept', backup.held ? 'for ever: no policy removes it' : 'as long as its policy says'],
              ]}
            />
          </Section>
          <Section title="Parts" pad={false}>
            <SectionTable
              label="Parts"
              rows={backup.parts}
              keyOf={({ resource, resourceId }) => `${resource} ${resourceId}`}
              empty={
                <Text c="dimmed">
                  {isRunning(backup) ? 'The contents are listed when the backup has ended.' : 'None.'}
                </Text>
              }
              columns={[
                { title: 'Part', cell: ({ name }) => <Mono>{name}</Mono> },
                { title: 'Kind', cell: ({ resource }) => partWords[resource], width: 110 },
                {
                  title: 'Snapshot',
                  cell: ({ snapshot, problem, holds }) =>
                    problem ?? (
                      <>
                        <Mono>{snapshot?.slice(0, 8) ?? 'none'}</Mono>
                        {holds && (
                          <Text c="dimmed" fz="xs">
                            {holds.map(({ text }) => text).join('; ')}
                          </Text>
                        )}
                      </>
                    ),
                },
                { title: 'Files', align: 'right', width: 90, cell: ({ files: n }) => count(n) },
                { title: 'Size', align: 'right', width: 100, cell: ({ bytes: n }) => bytes(n) },
              ]}
            />
          </Section>
          {files && <Tree backup={backup} restore={(paths) => setRestoring({ paths })} />}
        </Stack>
      )}
      {backup && restoring && (
        <RestoreModal backup={backup} paths={restoring.paths} close={() => setRestoring(undefined)} />
      )}
    </Screen>
  )
}

/** Pause, resume and cancel of a running backup. */
function StopActs({ backup }: { backup: Backup }) {
  const lacking = useReason()
  return (
    <>
      {backup.pausedAt ? (
        <ActButton variant="default" reason={lacking(backupsApi.resume)} onClick={() => void resume(backup)}>
          Resume
        </ActButton>
      ) : (
        <ActButton variant="default" reason={lacking(backupsApi.pause)} onClick={() => void pause(backup)}>
          Pause…
        </ActButton>
      )}
      <ActButton variant="default" reason={lacking(backupsApi.cancel)} onClick={() => void cancel(backup)}>
        Cancel…
      </ActButton>
    </>
  )
}

/** What a drill did besides the comparison: databases loaded, page requested. */
function provenOn({ proof }: Backup): string {
  if (!proof) return ''
  const page = proof.page === null ? '' : `, page answered ${proof.page}`
  return `, on ${proof.machine} with ${counted(proof.databases, ['database', 'databases'])} loaded${page}`
}
