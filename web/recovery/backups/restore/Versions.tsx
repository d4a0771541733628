import type { Backup, FileVersion } from '@innkeeper/contract/recovery/backups/shapes'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { bytes, moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { backupsApi } from '../api.ts'
import { download } from './download.ts'

export interface Props {
  backup: Backup
  path: string
  close: () => void
}

/** One file over time: each version once, with the newest backup that has it. */
export default function Versions({ backup, path, close }: Props) {
  const lacking = useReason()
  const { data, error, isPending } = useQuery(backupsApi.versions.query({ id: backup.id, path }))
  return (
    <Dialog opened onClose={close} title={path.slice(path.lastIndexOf('/') + 1)} size={720}>
      <Mono>{path.slice(1)}</Mono>
      <SectionTable<FileVersion>
        label="Versions"
        edges={false}
        rows={data?.items ?? []}
        keyOf={({ backupId }) => backupId}
        empty={<Text c="dimmed">{error?.message ?? (isPending ? <Reading /> : 'No backup has this file.')}</Text>}
        columns={[
          { title: 'Changed', cell: ({ modifiedAt }) => moment(modifiedAt) },
          { title: 'Size', align: 'right', width: 100, cell: ({ size }) => bytes(size) },
          {
            title: 'Newest backup with it',
            cell: ({ backupId, at, backups }) => (
              <LinkTo to="/backups/$backupId/details" params={{ backupId: String(backupId) }}>
                {moment(at)}
                {backups > 1 ? ` and ${backups - 1} before` : ''}
              </LinkTo>
            ),
          },
          {
            title: '',
            width: 110,
            cell: ({ backupId }) => (
              <ActButton
                size="compact-xs"
                variant="default"
                reason={lacking(backupsApi.download)}
                onClick={() => void download(backupId, path)}
              >
                Download
              </ActButton>
            ),
          },
        ]}
      />
      {data && data.elsewhere > 0 && (
        <Text c="dimmed" fz="xs" mt={8}>
          {data.elsewhere} older backups are in the repository of another server and were not searched.
        </Text>
      )}
      <Button variant="default" mt={14} onClick={close}>
        Close
      </Button>
    </Dialog>
  )
}
