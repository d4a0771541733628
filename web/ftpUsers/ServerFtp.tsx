import type { FtpUser } from '@innkeeper/contract/ftpUsers'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ipsetsApi } from '../ipsets/api.ts'
import { useReason } from '../kit/access/reasons.ts'
import { ActButton } from '../kit/look/ActButton.tsx'
import { counted } from '../kit/look/format.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { SectionTable } from '../kit/look/SectionTable.tsx'
import { When } from '../kit/look/When.tsx'
import { lift, setPlain } from './acts.ts'
import { ftpUsersApi } from './api.ts'

/** The FTP service of the user's server: whether it admits clients without TLS, who guesses passwords, and who is banned. */
export function ServerFtp({ user: { serverId, serverName } }: { user: FtpUser }) {
  const lacking = useReason()
  const { data } = useQuery(ftpUsersApi.server.query({ server: serverId }))
  if (!data?.installed) return null
  return (
    <div>
      <Group justify="space-between" mb={6} gap={8}>
        <Text fw={500}>
          FTP on <Mono>{serverName}</Mono>: {data.plain ? 'with and without TLS' : 'with TLS only'},{' '}
          {counted(data.users, ['user', 'users'])}
        </Text>
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(ftpUsersApi.updateServer)}
          onClick={() => void setPlain(data)}
        >
          {data.plain ? 'Refuse without TLS' : 'Admit without TLS…'}
        </ActButton>
      </Group>
      <SectionTable
        label={`Failed sign-ins on ${serverName}`}
        edges={false}
        maxHeight={220}
        rows={data.guessers}
        keyOf={({ address }) => address}
        empty="No failed sign-in in the last 24 hours."
        columns={[
          { title: 'Failed sign-ins from', cell: ({ address }) => <Mono>{address}</Mono> },
          { title: 'Attempts', width: 100, align: 'right', cell: ({ tries }) => tries },
          { title: 'Last', width: 130, cell: ({ lastAt }) => <When at={lastAt} /> },
        ]}
      />
      <SectionTable
        label={`Banned addresses on ${serverName}`}
        edges={false}
        maxHeight={220}
        rows={data.banned}
        keyOf={({ address }) => address}
        empty="No address is banned for guessing passwords."
        columns={[
          { title: 'Banned', cell: ({ address }) => <Mono>{address}</Mono> },
          { title: 'Why', cell: ({ reason }) => reason ?? '' },
          { title: 'Until', width: 130, cell: ({ until }) => (until ? <When at={until} /> : 'for good') },
          {
            title: '',
            width: 80,
            cell: ({ address }) => (
              <ActButton
                size="xs"
                variant="default"
                aria-label={`Lift the ban of ${address}`}
                reason={lacking(ipsetsApi.unban)}
                onClick={() => void lift(data.set, address)}
              >
                Lift…
              </ActButton>
            ),
          },
        ]}
      />
    </div>
  )
}
