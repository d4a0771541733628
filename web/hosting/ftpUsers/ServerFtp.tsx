import type { FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { Guessers } from '../../machines/ipsets/Guessers.tsx'
import { setPlain } from './acts.ts'
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
      <Guessers serverName={serverName} service="FTP" event="ftpUsers" found={data} />
    </div>
  )
}
