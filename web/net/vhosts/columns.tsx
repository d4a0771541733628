import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { statusColumn } from '../../kit/list/statusColumn.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { seenWords } from './words.ts'

/** The website of a vhost, for both kinds of vhosts. */
interface OfWebsite {
  websiteId: number
  domain: string
  unicode: string | null
  ownerName: string
  status: Vhost['status'] | Website['status']
}

/** The first columns of both lists: the website, and its state. */
export const websiteColumns: readonly Column<OfWebsite>[] = [
  {
    key: 'domain',
    title: 'Website',
    sort: 'domain',
    csv: ({ domain }) => domain,
    cell: ({ websiteId, domain, unicode, ownerName }) => (
      <NameCell below={unicode ? `${unicode}, ${ownerName}` : ownerName}>
        <NameLink to="/websites/$id" params={{ id: String(websiteId) }}>
          <Mono fw={450} title={domain}>
            {domain}
          </Mono>
        </NameLink>
      </NameCell>
    ),
  },
  statusColumn,
]

type SeenOf = 'same' | 'differs' | null

export const seenColumn = <R,>(title: string, seenOf: (row: R) => SeenOf): Column<R> => ({
  key: 'seen',
  title,
  width: 124,
  csv: (row) => seenOf(row) ?? '',
  cell: (row) => <Seen seen={seenOf(row)} />,
})

/** The result of the last comparison. */
export const Seen = ({ seen }: { seen: SeenOf }) =>
  seen === null ? (
    <Text c="dimmed">not compared</Text>
  ) : (
    <StatusBadge state={seen === 'same' ? 'valid' : 'degraded'} label={seenWords[seen]} />
  )

interface OnPhone {
  vhost: OfWebsite
  seen: SeenOf
  below: string
  aside: ReactNode
}

/** A card for phones, with differences above the details. */
export const VhostCard = ({ vhost, seen, below, aside }: OnPhone) => (
  <RowCard name={vhost.domain} below={below}>
    <StatusBadge state={vhost.status} />
    <Text component="div" c="dimmed" fz="xs">
      {seen === 'differs' ? <Seen seen={seen} /> : aside}
    </Text>
  </RowCard>
)
