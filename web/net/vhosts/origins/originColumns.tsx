import { webServerTitles } from '@innkeeper/contract/machines/servers/shapes'
import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { Text } from '@mantine/core'
import type { Column } from '../../../kit/list/columns.ts'
import { serverColumn } from '../../../kit/list/serverColumn.tsx'
import { whenColumn } from '../../../kit/list/whenColumn.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { seenColumn, VhostCard, websiteColumns } from '../columns.tsx'
import { inWords, rulesInWords } from '../words.ts'

export const originColumns: readonly Column<OriginVhost>[] = [
  ...websiteColumns,
  serverColumn,
  {
    key: 'webServer',
    title: 'Web server',
    spare: true,
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
    title: 'Own settings',
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
    key: 'application',
    title: 'Rules',
    width: 150,
    off: true,
    csv: rulesInWords,
    cell: (vhost) => rulesInWords(vhost),
  },
  {
    key: 'wildcard',
    title: 'Wildcard',
    spare: true,
    width: 92,
    csv: ({ wildcard }) => (wildcard ? 'yes' : 'no'),
    cell: ({ wildcard }) => <StatusBadge state={wildcard ? 'on' : 'off'} />,
  },
  seenColumn('On the server', ({ seen }) => seen),
  { ...whenColumn('updatedAt', 'Changed'), off: true },
]

export const OriginCard = ({ vhost }: { vhost: OriginVhost }) => (
  <VhostCard
    vhost={vhost}
    seen={vhost.seen}
    below={vhost.ownerName}
    aside={
      <Mono fz="xs">
        {webServerTitles[vhost.webServer]}, {vhost.phpModule}
      </Mono>
    }
  />
)
