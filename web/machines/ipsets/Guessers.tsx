import type { Guessers as Found } from '@innkeeper/contract/machines/ipsets/guessers'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { When } from '../../kit/look/When.tsx'
import { ipsetsApi } from './api.ts'

/**
 * Addresses that guess passwords on a server, and those that are banned on all servers of the service. `service`: as in
 * `servers with FTP`; `event`: the domain that shows the addresses.
 */
export function Guessers({
  serverName,
  service,
  event,
  found: { guessers, banned, set },
  isRead = true,
}: {
  serverName: string
  service: 'FTP' | 'mail'
  event: 'ftpUsers' | 'mailboxes'
  found: Found
  /** False: nobody has read the sign-ins yet, so an empty list means nothing. */
  isRead?: boolean
}) {
  const lacking = useReason()
  const lift = async (ip: string) => {
    const sure = await confirm({
      title: `Lift the ban of ${ip}?`,
      text: `All servers with ${service} answer this address again. Further failed sign-ins begin to count anew.`,
      verb: 'Lift ban',
    })
    if (sure) await attempt(() => ipsetsApi.unban({ set, ip }), [event, 'ipsets'])
  }
  return (
    <>
      {(isRead || guessers.length > 0) && (
        <SectionTable
          label={`Failed sign-ins on ${serverName}`}
          edges={false}
          maxHeight={220}
          rows={guessers}
          keyOf={({ address }) => address}
          empty="No failed sign-in in the last 24 hours."
          columns={[
            { title: 'Failed sign-ins from', cell: ({ address }) => <Mono>{address}</Mono> },
            { title: 'Attempts', width: 100, align: 'right', cell: ({ tries }) => tries },
            { title: 'Last', width: 130, cell: ({ lastAt }) => <When at={lastAt} /> },
          ]}
        />
      )}
      <SectionTable
        label={`Banned addresses on ${serverName}`}
        edges={false}
        maxHeight={220}
        rows={banned}
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
                onClick={() => void lift(address)}
              >
                Lift…
              </ActButton>
            ),
          },
        ]}
      />
    </>
  )
}
