import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { ipsetsApi } from '../../machines/ipsets/api.ts'
import { Guessers } from '../../machines/ipsets/Guessers.tsx'
import { mailboxesApi } from './api.ts'

/** Who guesses passwords of mailboxes on the server of a mail domain, and who is banned. */
export default function ServerMail({ mailbox: { serverId, serverName } }: { mailbox: Mailbox }) {
  const lacking = useReason()
  const { data } = useQuery(mailboxesApi.server.query({ server: serverId }))
  if (!data) return null
  return (
    <Section title="Failed sign-ins and bans">
      <Text c="dimmed" mb={6}>
        {data.readAt === null ? (
          <>
            Innkeeper has not read the sign-ins on <Mono>{serverName}</Mono> yet. If this lasts, update the agent of the
            server.
          </>
        ) : (
          <>
            Ten different wrong passwords within a day ban an address from signing in on all mail servers, on all
            domains of <Mono>{serverName}</Mono> alike. Mail to port 25 still arrives.
          </>
        )}
        {data.banned.length > 0 && !lacking(ipsetsApi.set) && (
          <>
            {' '}
            <LinkTo to="/ipset/sets/$setName" params={{ setName: data.set }}>
              Search all bans
            </LinkTo>
          </>
        )}
      </Text>
      <Guessers serverName={serverName} service="mail" event="mailboxes" found={data} isRead={data.readAt !== null} />
    </Section>
  )
}
