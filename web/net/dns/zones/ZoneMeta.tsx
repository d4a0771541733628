import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { Text } from '@mantine/core'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Dot } from '../../../kit/frame/PageHeader.tsx'
import { ago } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'

/** The line below the name of a zone. */
export const ZoneMeta = ({ zone }: { zone: ZoneView }) => (
  <>
    {zone.unicode && (
      <>
        <Text>{zone.unicode}</Text>
        <Dot />
      </>
    )}
    <Text>
      Serial <Mono>{zone.serial}</Mono>
    </Text>
    <Dot />
    <Text>DNSSEC {zone.dnssec ? 'on' : 'off'}</Text>
    {zone.adminOnly && (
      <>
        <Dot />
        <Text>administrators only</Text>
      </>
    )}
    {zone.website && (
      <>
        <Dot />
        <LinkTo to="/websites/$id" params={{ id: String(zone.website.id) }}>
          Website
        </LinkTo>
      </>
    )}
    <Dot />
    <Text>
      edited {ago(zone.updatedAt)}
      {zone.changedBy && ` by ${zone.changedBy}`}
    </Text>
  </>
)
