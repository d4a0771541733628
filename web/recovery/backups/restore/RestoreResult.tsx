import type { Restore } from '@innkeeper/contract/recovery/backups/shapes'
import { Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { backupsApi } from '../api.ts'

const words = { website: 'Website', mysql: 'Database', server: 'Server', mail: 'Mail' } as const

/** Websites, databases, mail domains and servers of a restore, each with its own result. */
export function RestoreResult({ restore: { id, domain, error }, close }: { restore: Restore; close: () => void }) {
  const found = useQueries({
    queries: [
      backupsApi.restoredWebsites.query({ id }),
      backupsApi.restoredDatabases.query({ id }),
      backupsApi.restoredMail.query({ id }),
      backupsApi.restoredServers.query({ id }),
    ],
  })
  const items = found.flatMap(({ data }) => data?.[0] ?? [])
  return (
    <Dialog opened onClose={close} title={`Restore of ${domain}`} size={640}>
      {error && <Text mb={10}>{error}</Text>}
      <SectionTable
        label="Results"
        edges={false}
        rows={items}
        keyOf={({ id: item }) => item}
        empty={
          <Text c="dimmed">
            <Reading />
          </Text>
        }
        columns={[
          { title: 'Part', cell: ({ name }) => <Mono>{name}</Mono> },
          { title: 'Kind', width: 100, cell: ({ resource }) => words[resource] },
          { title: 'Result', width: 110, cell: ({ result }) => <StatusBadge state={result} /> },
          { title: 'Message', cell: ({ message }) => message ?? '' },
        ]}
      />
    </Dialog>
  )
}
