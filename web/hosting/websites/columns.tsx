import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { serverColumn } from '../../kit/list/serverColumn.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { environmentWord } from '../../kit/look/environments.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import css from './columns.module.css'
import { SeenStatus, seenState } from './SeenStatus.tsx'
import { belongsTo, kindWord, trashLeft } from './words.ts'

export const columns: readonly Column<WebsiteRow>[] = [
  {
    key: 'domain',
    title: 'Domain',
    sort: 'domain',
    csv: ({ domain }) => domain,
    cell: ({ id, domain, unicode, ownerName, ...website }) => (
      <NameCell below={[unicode, belongsTo(website), ownerName].filter(Boolean).join(' · ')}>
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
    width: 148,
    csv: seenState,
    cell: (website) => (
      <>
        <SeenStatus website={website} />
        {website.status === 'deleted' && (
          <Text c="dimmed" fz="xs" className={css.line}>
            {trashLeft(website)}
          </Text>
        )}
      </>
    ),
  },
  serverColumn,
  { key: 'plan', title: 'Plan', width: 130, csv: ({ planName }) => planName, cell: ({ planName }) => planName },
  {
    key: 'php',
    title: 'PHP',
    width: 62,
    csv: ({ phpVersion }) => phpVersion,
    cell: ({ phpVersion }) => <span className="num">{phpVersion}</span>,
  },
  {
    key: 'user',
    title: 'System user',
    spare: true,
    width: 168,
    csv: ({ username }) => username,
    cell: ({ username }) => (
      <Mono c="dimmed" truncate display="block" title={username}>
        {username}
      </Mono>
    ),
  },
  whenColumn('updatedAt', 'Changed'),
  { ...whenColumn('createdAt', 'Created'), off: true },
  {
    key: 'kind',
    title: 'Kind',
    width: 120,
    off: true,
    csv: ({ kind }) => kind,
    cell: ({ kind }) => kindWord(kind),
  },
  {
    key: 'environment',
    title: 'Environment',
    width: 120,
    off: true,
    csv: ({ environment }) => environment,
    cell: ({ environment }) => environmentWord(environment),
  },
  {
    key: 'owner',
    title: 'Owner',
    width: 180,
    off: true,
    csv: ({ ownerName }) => ownerName,
    cell: ({ ownerName }) => <Text truncate>{ownerName}</Text>,
  },
  {
    key: 'id',
    title: 'No.',
    width: 80,
    off: true,
    csv: ({ id }) => id,
    cell: ({ id }) => <Mono c="dimmed">{id}</Mono>,
  },
]

/** Two lines on a phone. */
export const WebsiteCard = ({ website }: { website: WebsiteRow }) => (
  <RowCard name={website.domain} below={belongsTo(website) ?? website.ownerName}>
    <StatusBadge state={seenState(website)} />
    <Mono c="dimmed" fz="xs" display="block">
      {website.status === 'deleted' ? trashLeft(website) : website.serverName}
    </Mono>
  </RowCard>
)
