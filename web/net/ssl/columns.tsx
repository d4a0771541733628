import type { Certificate } from '@innkeeper/contract/net/ssl/shapes'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { daysLeft, kindWords, renewalShort, someOf } from './words.ts'

const names = ({ names: all, domain }: Certificate) => someOf(all.length ? all : [domain])
const users = ({ uses }: Certificate) =>
  uses.length ? `used by ${someOf(uses.map(({ domain }) => domain))}` : 'not used'

export const columns: readonly Column<Certificate>[] = [
  {
    key: 'domain',
    title: 'Names',
    sort: 'domain',
    csv: (one) => one.names.join(' '),
    cell: (one) => (
      <div style={{ minWidth: 0 }} title={one.names.join(', ')}>
        <LinkTo to="/ssl/$id" params={{ id: String(one.id) }} c="inherit" underline="never" display="block" truncate>
          <Mono fw={450}>{names(one)}</Mono>
        </LinkTo>
        <Text c="dimmed" fz="xs" truncate>
          {users(one)}
        </Text>
      </div>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 130,
    csv: ({ status }) => status,
    cell: ({ status, reason }) => (
      <span title={reason ?? undefined}>
        <StatusBadge state={status} />
      </span>
    ),
  },
  {
    key: 'kind',
    title: 'Kind',
    width: 116,
    csv: ({ kind }) => kindWords[kind],
    cell: ({ kind }) => kindWords[kind],
  },
  {
    key: 'issuer',
    title: 'Issuer',
    width: 170,
    csv: ({ issuer }) => issuer ?? '',
    cell: ({ issuer }) => (
      <Text c="dimmed" truncate title={issuer ?? undefined}>
        {issuer}
      </Text>
    ),
  },
  {
    key: 'notAfter',
    title: 'Ends in',
    sort: 'notAfter',
    width: 148,
    align: 'right',
    csv: ({ notAfter }) => notAfter ?? '',
    cell: ({ notAfter, status }) => (
      <Text
        span
        c={status === 'active' ? undefined : 'dimmed'}
        className="num"
        title={notAfter ? moment(notAfter) : undefined}
      >
        {daysLeft(notAfter)}
      </Text>
    ),
  },
  {
    key: 'renewAt',
    title: 'Renews',
    width: 116,
    csv: ({ renewAt }) => renewAt ?? '',
    cell: (certificate) => <Text c="dimmed">{renewalShort(certificate)}</Text>,
  },
  { ...whenColumn('createdAt', 'Added', 110), off: true },
]

/** Two lines on a phone. */
export const CertificateCard = ({ certificate }: { certificate: Certificate }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {names(certificate)}
      </Mono>
      <Text c="dimmed" fz="xs" truncate>
        {[kindWords[certificate.kind], daysLeft(certificate.notAfter), users(certificate)].filter(Boolean).join(', ')}
      </Text>
    </div>
    <StatusBadge state={certificate.status} />
  </Group>
)
