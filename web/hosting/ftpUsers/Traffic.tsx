import type { FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { bytes, lasting } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { When } from '../../kit/look/When.tsx'
import { endSession } from './acts.ts'
import { ftpUsersApi } from './api.ts'

const REFRESH_MS = 5000
const doing = { idle: 'waits', upload: 'uploads', download: 'downloads', unknown: 'signs in' } as const

/** Open sessions and latest transfers of an FTP user, read live. */
export function Traffic({ user }: { user: FtpUser }) {
  const lacking = useReason()
  const sessions = useQuery({ ...ftpUsersApi.sessions.query({ id: user.id }), refetchInterval: REFRESH_MS })
  const transfers = useQuery(ftpUsersApi.transfers.query({ id: user.id }))
  return (
    <>
      <div>
        <Text fw={500} mb={6}>
          Open sessions
        </Text>
        {sessions.data ? (
          <SectionTable
            label={`Sessions of ${user.username}`}
            edges={false}
            maxHeight={260}
            rows={sessions.data.items}
            keyOf={({ session }) => session}
            empty="Nobody is signed in."
            columns={[
              { title: 'From', width: 150, cell: ({ address }) => <Mono>{address}</Mono> },
              { title: 'Since', width: 90, align: 'right', cell: ({ seconds }) => lasting(seconds * 1000) },
              {
                title: 'Does',
                cell: ({ state, file, bytes: moved }) => (
                  <span style={{ overflowWrap: 'anywhere' }}>
                    {doing[state]} {file && `${file}, ${bytes(moved)}`}
                  </span>
                ),
              },
              {
                title: '',
                width: 80,
                cell: (one) => (
                  <ActButton
                    size="xs"
                    variant="default"
                    aria-label={`End session ${one.session}`}
                    reason={lacking(ftpUsersApi.endSession)}
                    onClick={() => void endSession(user, one)}
                  >
                    End…
                  </ActButton>
                ),
              },
            ]}
          />
        ) : (
          <Text c="dimmed">{sessions.error?.message ?? 'Asking its server…'}</Text>
        )}
      </div>
      <div>
        <Text fw={500} mb={6}>
          Latest transfers
        </Text>
        {transfers.data ? (
          <SectionTable
            label={`Transfers of ${user.username}`}
            edges={false}
            maxHeight={320}
            rows={transfers.data.items.map((one, n) => ({ ...one, n }))}
            keyOf={({ n }) => n}
            empty="No recent transfer."
            columns={[
              { title: 'When', width: 118, cell: ({ at }) => <When at={at} /> },
              { title: 'Direction', width: 90, cell: ({ upload }) => (upload ? 'Upload' : 'Download') },
              { title: 'Size', width: 90, align: 'right', cell: (one) => bytes(one.bytes) },
              { title: 'From', width: 140, cell: ({ address }) => <Mono>{address}</Mono> },
              { title: 'File', cell: ({ file }) => <Mono style={{ overflowWrap: 'anywhere' }}>{file}</Mono> },
            ]}
          />
        ) : (
          <Text c="dimmed">{transfers.error?.message ?? 'Asking its server…'}</Text>
        )}
      </div>
    </>
  )
}
