import type { OriginVhost } from '@innkeeper/contract/originVhosts'
import { webServerTitles } from '@innkeeper/contract/servers'
import { Group, Text } from '@mantine/core'
import type { Column } from '../kit/columns.ts'
import { Mono } from '../kit/Mono.tsx'
import { NameCell, NameLink } from '../kit/NameCell.tsx'
import { StatusBadge } from '../kit/StatusBadge.tsx'
import { When } from '../kit/When.tsx'
import { inWords, seenWords } from './words.ts'

export const originColumns: readonly Column<OriginVhost>[] = [
  {
    key: 'domain',
    title: 'Website',
    sort: 'domain',
    csv: ({ domain }) => domain,
    cell: ({ id, domain, unicode, ownerName }) => (
      <NameCell below={unicode ? `${unicode}, ${ownerName}` : ownerName}>
        <NameLink to="/websites/$id" params={{ id: String(id) }}>
          <Mono fw={450} title={domain}>
            {domain}
          </Mono>
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 124,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge state={status} />,
  },
  {
    key: 'server',
    title: 'Server',
    width: 140,
    csv: ({ serverName }) => serverName,
    cell: ({ serverName }) => (
      <Mono truncate display="block">
        {serverName}
      </Mono>
    ),
  },
  {
    key: 'webServer',
    title: 'Web server',
    width: 104,
    csv: ({ webServer }) => webServer,
    cell: ({ webServer }) => webServerTitles[webServer],
  },
  {
    key: 'php',
    title: 'PHP',
    width: 84,
    csv: ({ phpModule }) => phpModule,
    cell: ({ phpModule }) => <Mono>{phpModule}</Mono>,
  },
  {
    key: 'parameters',
    title: 'Set of its own',
    csv: ({ phpParameters }) => inWords(phpParameters),
    cell: ({ phpParameters, own }) =>
      own ? (
        <Mono truncate display="block" fz="xs" title={inWords(phpParameters)} maw={320}>
          {inWords(phpParameters)}
        </Mono>
      ) : (
        <Text c="dimmed">as everywhere</Text>
      ),
  },
  {
    key: 'wildcard',
    title: 'Wildcard',
    width: 92,
    csv: ({ wildcard }) => (wildcard ? 'yes' : 'no'),
    cell: ({ wildcard }) => <StatusBadge state={wildcard ? 'on' : 'off'} />,
  },
  {
    key: 'seen',
    title: 'On the server',
    width: 124,
    csv: ({ seen }) => seen ?? '',
    cell: (vhost) => <Seen {...vhost} />,
  },
  {
    key: 'updatedAt',
    title: 'Changed',
    sort: 'updatedAt',
    width: 108,
    off: true,
    csv: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <When at={updatedAt} />,
  },
]

/** What was there when it was last compared. */
export const Seen = ({ seen }: { seen: 'same' | 'differs' | null }) =>
  seen === null ? (
    <Text c="dimmed">not compared</Text>
  ) : (
    <StatusBadge state={seen === 'same' ? 'valid' : 'degraded'} label={seenWords[seen]} />
  )

/** Two lines on a phone. */
export const OriginCard = ({ vhost: { domain, ownerName, status, webServer, phpModule } }: { vhost: OriginVhost }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {domain}
      </Mono>
      <Text c="dimmed" fz="xs" truncate>
        {ownerName}
      </Text>
    </div>
    <div style={{ textAlign: 'right' }}>
      <StatusBadge state={status} />
      <Mono c="dimmed" fz="xs" display="block">
        {webServerTitles[webServer]}, {phpModule}
      </Mono>
    </div>
  </Group>
)
