import type { StoredFile } from '@innkeeper/contract/desk/files'
import { Group, Pagination, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { filesApi } from '../api.ts'

/** Downloads of a file, newest first. */
export default function DownloadsModal({ file, close }: { file: StoredFile; close: () => void }) {
  const [page, setPage] = useState(1)
  const log = useQuery({
    ...filesApi.downloads.query({ id: file.id, page, itemsPerPage: 20 }),
    placeholderData: keepPreviousData,
  })
  const pages = Math.ceil((log.data?.total ?? 0) / 20)
  return (
    <Dialog opened onClose={close} title={`Downloads of ${file.name}`} size={560}>
      {log.error && <ErrorLine error={log.error} />}
      {log.isPending && <Skeleton h={120} />}
      {log.data?.total === 0 && <Text c="dimmed">Nobody has downloaded the file yet.</Text>}
      {log.data && log.data.total > 0 && (
        <SectionTable
          label={`Downloads of ${file.name}`}
          edges={false}
          rows={log.data.items}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Who', cell: ({ staffName }) => staffName },
            { title: 'When', cell: ({ at }) => moment(at) },
            { title: 'From', cell: ({ ip }) => <Mono>{ip ?? '–'}</Mono> },
          ]}
        />
      )}
      {pages > 1 && (
        <Group justify="flex-end" mt={10}>
          <Pagination size="sm" total={pages} value={page} onChange={setPage} aria-label="Pages of the log" />
        </Group>
      )}
    </Dialog>
  )
}
