import { type Server, webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import { Group, Text, Tooltip } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { ago, count } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { Bars, percent } from './ServerBars.tsx'
import { typeWord } from './words.ts'

export const columns: readonly Column<Server>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ id, name, address }) => (
      <NameCell below={<Mono fz="xs">{address ?? 'no address yet'}</Mono>}>
        <NameLink to="/server/$server" params={{ server: String(id) }}>
          <Mono fw={450}>{name}</Mono>
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'observed',
    title: 'Seen',
    width: 118,
    csv: ({ observed }) => observed,
    cell: ({ observed }) => <StatusBadge state={observed} />,
  },
  {
    key: 'status',
    title: 'Wanted',
    width: 92,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge state={status} />,
  },
  {
    key: 'type',
    title: 'Type',
    sort: 'type',
    width: 104,
    csv: ({ type }) => type,
    cell: ({ type }) => typeWord(type),
  },
  {
    key: 'webServer',
    title: 'Web server',
    width: 104,
    off: true,
    csv: ({ webServer }) => webServer,
    cell: ({ webServer }) => (webServer ? webServerTitles[webServer] : ''),
  },
  {
    key: 'load',
    title: 'Load, memory, disk',
    width: 196,
    csv: (server) => percent(server, 0),
    cell: (server) => <Bars server={server} />,
  },
  {
    key: 'websites',
    title: 'Websites',
    width: 92,
    align: 'right',
    csv: ({ websites }) => websites,
    cell: ({ websites }) => <span className="num">{count(websites)}</span>,
  },
  {
    key: 'agent',
    title: 'Agent',
    width: 124,
    csv: ({ agentVersion }) => agentVersion,
    cell: ({ agentVersion, agentSkew }) =>
      agentVersion ? (
        <Group gap={6} wrap="nowrap">
          <Mono c="dimmed">{agentVersion}</Mono>
          {agentSkew && (
            <Tooltip label="Not the current version">
              <span>
                <StatusBadge state="stale" label="differs" />
              </span>
            </Tooltip>
          )}
        </Group>
      ) : (
        <Text span c="dimmed">
          none
        </Text>
      ),
  },
  {
    key: 'lastSeenAt',
    title: 'Last seen',
    sort: 'lastSeenAt',
    width: 112,
    csv: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => (
      <Text span c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {lastSeenAt ? ago(lastSeenAt) : 'never'}
      </Text>
    ),
  },
  {
    key: 'memory',
    title: 'Memory %',
    width: 96,
    align: 'right',
    off: true,
    csv: (server) => percent(server, 1),
    cell: (server) => percent(server, 1),
  },
  {
    key: 'disk',
    title: 'Disk %',
    width: 84,
    align: 'right',
    off: true,
    csv: (server) => percent(server, 2),
    cell: (server) => percent(server, 2),
  },
  { key: 'os', title: 'System', width: 150, off: true, csv: ({ os }) => os, cell: ({ os }) => os },
]

/** Two lines on a phone. */
export const ServerCard = ({ server: { name, address, type, status, observed, websites } }: { server: Server }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {name}
      </Mono>
      <Mono c="dimmed" fz="xs" display="block" truncate>
        {address ?? typeWord(type)}
      </Mono>
    </div>
    <div style={{ flex: 'none', textAlign: 'right' }}>
      <StatusBadge state={status === 'down' ? 'down' : observed} />
      <Text c="dimmed" fz="xs" className="num">
        {typeWord(type)}, {count(websites)} sites
      </Text>
    </div>
  </Group>
)
