import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import type { DatabaseExport } from '@innkeeper/contract/hosting/databases/dumps'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, bytes } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { databasesApi } from '../api.ts'
import { deleteExport, download, write } from './acts.ts'
import css from './Dumps.module.css'
import { OneImport } from './OneImport.tsx'
import { RunOfDump } from './RunOfDump.tsx'

const NewImport = lazyDialog<{ database: Database; close: () => void }>(() => import('./NewImport.tsx'))

/** Imports of dumps into a database, and dumps of it for download. */
export default function Dumps({ database }: { database: Database }) {
  const { id, name, status } = database
  const lacking = useReason()
  const [adding, setAdding] = useState(false)
  const { data, error } = useQuery(databasesApi.dumps.query({ id }))
  const busy = status === 'active' ? undefined : `${name} is ${status} now. Wait for it.`
  const writing = data?.exports.some((one) => one.status === 'running') ? 'A dump is being written.' : undefined
  return (
    <Stack gap={12} mt={12}>
      <Group gap={8}>
        <ActButton size="xs" reason={lacking(databasesApi.lookAtDump) ?? busy} onClick={() => setAdding(true)}>
          Import dump…
        </ActButton>
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(databasesApi.exportDump) ?? busy ?? writing}
          onClick={() => void write(id, name)}
        >
          Export
        </ActButton>
      </Group>
      {!data && <Text c="dimmed">{error?.message ?? <Reading />}</Text>}
      {data && !data.imports.length && !data.exports.length && (
        <Text c="dimmed" fz="xs">
          No dump was imported or exported. Imports take .sql, .sql.gz and .sql.zst; each is read first, and its effects
          are listed.
        </Text>
      )}
      {data?.imports.map((one) => (
        <OneImport key={one.id} found={one} />
      ))}
      {data?.exports.map((one) => (
        <OneExport key={one.id} found={one} />
      ))}
      {adding && <NewImport database={database} close={() => setAdding(false)} />}
    </Stack>
  )
}

function OneExport({ found }: { found: DatabaseExport }) {
  const { fileName, status, size, by, createdAt, until, reason, workflowId } = found
  const lacking = useReason()
  return (
    <section className={css.dump} aria-label={`Export ${fileName}`}>
      <div className={css.head}>
        <div>
          <Mono>{fileName}</Mono>
          <Text c="dimmed" fz="xs">
            {[
              'Export',
              size === null ? undefined : bytes(size),
              `by ${by}, ${ago(createdAt)}`,
              until ? `until ${until.slice(0, 10)}` : undefined,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
        <Group gap={8}>
          <StatusBadge state={status} />
          {status === 'ready' && (
            <ActButton size="xs" reason={lacking(databasesApi.downloadDump)} onClick={() => void download(found)}>
              Download
            </ActButton>
          )}
          {status !== 'running' && (
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(databasesApi.discardExport)}
              onClick={() => void deleteExport(found)}
            >
              Delete…
            </ActButton>
          )}
        </Group>
      </div>
      {status === 'failed' && reason && (
        <Text c="red" fz="xs">
          {reason}
        </Text>
      )}
      {status === 'running' && workflowId !== null && <RunOfDump id={workflowId} />}
    </section>
  )
}
