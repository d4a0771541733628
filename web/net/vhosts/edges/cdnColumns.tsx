import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { Text } from '@mantine/core'
import type { Column } from '../../../kit/list/columns.ts'
import { whenColumn } from '../../../kit/list/whenColumn.tsx'
import { bytes, count } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { Share } from '../../../kit/look/Share.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { seenColumn, VhostCard, websiteColumns } from '../columns.tsx'

export const cdnColumns: readonly Column<Vhost>[] = [
  ...websiteColumns,
  {
    key: 'edges',
    title: 'Edges',
    width: 150,
    csv: ({ edges }) => edges.map(({ serverName }) => serverName).join(' '),
    cell: ({ edges }) => (
      <Mono truncate display="block" title={edges.map(({ serverName }) => serverName).join(', ')}>
        {edges.map(({ serverName }) => serverName).join(', ')}
      </Mono>
    ),
  },
  {
    key: 'cdn',
    title: 'CDN',
    width: 104,
    csv: ({ cdn, minutes }) => (cdn ? `${minutes} min` : 'off'),
    cell: ({ cdn, minutes }) => (
      <StatusBadge state={cdn ? 'on' : 'off'} label={cdn ? `${count(minutes)} min` : 'Off'} />
    ),
  },
  {
    key: 'xdn',
    title: 'XDN',
    spare: true,
    width: 76,
    csv: ({ xdn }) => (xdn ? 'on' : 'off'),
    cell: ({ xdn }) => <StatusBadge state={xdn ? 'on' : 'off'} />,
  },
  {
    key: 'hits',
    title: 'From the cache, 24 h',
    width: 158,
    csv: ({ hits, misses }) => shareOf({ hits, misses }) ?? '',
    cell: (vhost) => <Hits {...vhost} />,
  },
  {
    key: 'bytes',
    title: 'Sent, 24 h',
    spare: true,
    width: 92,
    align: 'right',
    csv: ({ bytes: sent }) => sent,
    cell: ({ bytes: sent }) => <span className="num">{bytes(sent)}</span>,
  },
  seenColumn('On its edges', ({ edges }) => seenOf(edges)),
  {
    key: 'origin',
    title: 'Origin',
    width: 140,
    off: true,
    csv: ({ originAddress }) => originAddress ?? '',
    cell: ({ originAddress, originName }) => <Mono title={originName}>{originAddress}</Mono>,
  },
  { ...whenColumn('createdAt', 'Created'), off: true },
]

/** The worst state of all edges: one that differs needs attention. */
function seenOf(edges: Vhost['edges']): 'same' | 'differs' | null {
  if (edges.some(({ seen }) => seen === 'differs')) return 'differs'
  return edges.length > 0 && edges.every(({ seen }) => seen === 'same') ? 'same' : null
}

/** The cache hit rate; undefined without requests. */
const shareOf = ({ hits, misses }: Pick<Vhost, 'hits' | 'misses'>): number | undefined =>
  hits + misses ? hits / (hits + misses) : undefined

function Hits(vhost: Pick<Vhost, 'hits' | 'misses'>) {
  const share = shareOf(vhost)
  if (share === undefined) return <Text c="dimmed">nobody came</Text>
  return <Share label={`${Math.round(100 * share)} %`} share={share} good />
}

export const CdnCard = ({ vhost }: { vhost: Vhost }) => (
  <VhostCard
    vhost={vhost}
    seen={seenOf(vhost.edges)}
    below={vhost.edges.map(({ serverName }) => serverName).join(', ')}
    aside={bytes(vhost.bytes)}
  />
)
