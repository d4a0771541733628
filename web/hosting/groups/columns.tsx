import type { Group as WebsiteGroup } from '@innkeeper/contract/hosting/groups'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { count, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'

const Failed = ({ failed }: { failed: number }) =>
  failed ? (
    <Text span c="var(--mantine-color-error-text)" fz="xs">
      {failed} failed
    </Text>
  ) : null
const serversOf = ({ servers }: WebsiteGroup) => servers.map(({ name }) => name).join(', ')

export const columns: readonly Column<WebsiteGroup>[] = [
  {
    key: 'mainDomain',
    title: 'Main website',
    csv: ({ mainDomain }) => mainDomain,
    cell: ({ id, mainDomain, ownerName }) => (
      <NameCell below={ownerName}>
        <NameLink to="/websites/groups/$id" params={{ id: String(id) }}>
          <Mono fw={450} title={mainDomain}>
            {mainDomain}
          </Mono>
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'websites',
    title: 'Websites',
    width: 140,
    csv: ({ websites }) => websites,
    cell: ({ websites, failed }) => (
      <Group gap={8} wrap="nowrap">
        <span className="num">{count(websites)}</span>
        <Failed failed={failed} />
      </Group>
    ),
  },
  {
    key: 'servers',
    title: 'Servers',
    width: 240,
    csv: serversOf,
    cell: (group) => (
      <Mono truncate display="block" title={serversOf(group)}>
        {serversOf(group)}
      </Mono>
    ),
  },
  whenColumn('updatedAt', 'Changed', 112),
  whenColumn('createdAt', 'Created', 112),
]

/** Two lines on a phone. */
export const GroupCard = ({ group }: { group: WebsiteGroup }) => (
  <RowCard name={group.mainDomain} below={group.ownerName}>
    <Text fz="xs">{counted(group.websites, ['website', 'websites'])}</Text>
    <Failed failed={group.failed} />
  </RowCard>
)
