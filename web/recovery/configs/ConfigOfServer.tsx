import type { ServerView } from '@innkeeper/contract/machines/servers/shapes'
import type { ServerConfigs } from '@innkeeper/contract/recovery/configs/shapes'
import { Alert, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, count, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable, type TableColumn } from '../../kit/look/SectionTable.tsx'
import { collectAll } from './acts.ts'
import { configsApi } from './api.ts'
import { services } from './words.ts'

/** The configuration of a server: last collection, versions and drift. */
export default function ConfigOfServer({ server: { id, enrolledAt } }: { server: ServerView }) {
  const enrolled = enrolledAt !== null
  const lacking = useReason()
  const denied = lacking(configsApi.server)
  const { data } = useQuery({ ...configsApi.server.query({ id }), enabled: !denied })
  if (denied || !data || !(enrolled || data.services.length)) return null
  const unable = enrolled ? undefined : 'No agent has connected yet.'
  return (
    <Section
      title="Configuration"
      hint={hintOf(data)}
      pad={false}
      aside={
        <ActButton
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          reason={lacking(configsApi.collect) ?? unable ?? (data.collecting ? 'A collection is under way.' : undefined)}
          onClick={() => void collectAll(id)}
        >
          Collect now
        </ActButton>
      }
    >
      {data.drift.length > 0 && <Drift drift={data.drift} />}
      <SectionTable
        label="Collected services"
        columns={columns}
        rows={data.services}
        keyOf={({ service }) => service}
        empty="Nothing was collected yet."
      />
    </Section>
  )
}

function hintOf({ collectedAt, problem, collecting }: ServerConfigs): string {
  if (collecting) return 'being collected'
  const last = collectedAt ? `last collected ${ago(collectedAt)}` : 'not collected yet'
  return problem ? `${last}; ${problem}` : last
}

const Drift = ({ drift }: Pick<ServerConfigs, 'drift'>) => (
  <Alert
    color="warning"
    m={12}
    p="10px 14px"
    title={`A person changed ${counted(drift.length, ['file', 'files'])} of Innkeeper`}
  >
    {drift.map(({ path, versionId, changedAt }) => (
      <Text key={path} style={{ overflowWrap: 'anywhere' }}>
        <LinkTo to="/backups/config-resets/$version" params={{ version: String(versionId) }}>
          <Mono>{path}</Mono>
        </LinkTo>{' '}
        {ago(changedAt)}
      </Text>
    ))}
  </Alert>
)

const columns: readonly TableColumn<ServerConfigs['services'][number]>[] = [
  {
    title: 'Service',
    cell: ({ service, versionId }) => (
      <LinkTo to="/backups/config-resets/$version" params={{ version: String(versionId) }} c="inherit">
        {services[service]}
      </LinkTo>
    ),
  },
  { title: 'Version', width: 90, align: 'right', cell: ({ number }) => <span className="num">{count(number)}</span> },
  { title: 'Files', width: 80, align: 'right', cell: ({ files }) => <span className="num">{count(files)}</span> },
  {
    title: 'Drift',
    width: 80,
    align: 'right',
    cell: ({ drifted }) => <span className="num">{drifted ? count(drifted) : '–'}</span>,
  },
  { title: 'Changed', width: 130, cell: ({ collectedAt }) => <Text c="dimmed">{ago(collectedAt)}</Text> },
]
