import type { DatabaseImport } from '@innkeeper/contract/hosting/databases/dumps'
import { Group, Text } from '@mantine/core'
import { useReason } from '../../../kit/access/reasons.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, bytes, counted } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { databasesApi } from '../api.ts'
import { discard, revert, start } from './acts.ts'
import css from './Dumps.module.css'
import { Findings } from './Findings.tsx'
import { RunOfDump } from './RunOfDump.tsx'

/** The import of a dump: its findings, progress and outcome, and its undo. */
export function OneImport({ found }: { found: DatabaseImport }) {
  const { fileName, status, size, look, by, createdAt, reason, beforeUntil, workflowId, source } = found
  const lacking = useReason()
  const refused = look?.findings.filter(({ effect }) => effect === 'refused').length
  const facts = [
    source === 'before' ? 'Former contents' : 'Import',
    size === null ? undefined : bytes(size),
    look && `${bytes(look.bytes)} of SQL, ${counted(look.tables, ['table', 'tables'])}`,
    `by ${by}, ${ago(createdAt)}`,
  ]
  const waits = status === 'ready' || (status === 'failed' && look)
  const isBack = beforeUntil && Date.parse(beforeUntil) > Date.now()
  return (
    <section className={css.dump} aria-label={`Import ${fileName}`}>
      <div className={css.head}>
        <div>
          <Mono>{fileName}</Mono>
          <Text c="dimmed" fz="xs">
            {facts.filter(Boolean).join(' · ')}
          </Text>
        </div>
        <Group gap={8}>
          <StatusBadge state={status} label={refused && status === 'ready' ? 'refused' : undefined} />
          {waits && (
            <ActButton
              size="xs"
              reason={
                lacking(databasesApi.importDump) ??
                (refused ? 'The dump contains statements that are refused: see below.' : undefined)
              }
              onClick={() => void start(found)}
            >
              {status === 'failed' ? 'Import again…' : 'Import…'}
            </ActButton>
          )}
          {(status === 'ready' || status === 'failed') && (
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(databasesApi.discardImport)}
              onClick={() => void discard(found)}
            >
              Discard
            </ActButton>
          )}
          {status === 'done' && isBack && (
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(databasesApi.revertImport)}
              onClick={() => void revert(found)}
            >
              Put former contents back…
            </ActButton>
          )}
        </Group>
      </div>
      {status === 'failed' && reason && (
        <Text c="red" fz="xs" style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      )}
      {look && (status === 'ready' || status === 'failed') && <Findings look={look} of={found} />}
      {(status === 'looking' || status === 'importing') && workflowId !== null && <RunOfDump id={workflowId} />}
    </section>
  )
}
