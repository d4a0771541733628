import type { ImportRun } from '@innkeeper/contract/quality/qc/sourceShapes'
import { Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ago, count, counted, moment } from '../../../kit/look/format.ts'
import { SectionTable, type TableColumn } from '../../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { qcSourcesApi } from '../api.ts'
import { SourceModal } from './SourceModal.tsx'
import { sourceState, typeNames } from './words.ts'

const ways = { http: 'HTTP', file: 'File', pull: 'Asked' } as const
const number = (title: string, of: (run: ImportRun) => number): TableColumn<ImportRun> => ({
  title,
  align: 'right',
  width: 90,
  cell: (run) => <span className="num">{count(of(run))}</span>,
})
const columns: readonly TableColumn<ImportRun>[] = [
  { title: 'Began', cell: ({ startedAt }) => moment(startedAt) },
  { title: 'By', width: 70, cell: ({ via }) => ways[via] },
  number('Items', ({ lines }) => lines),
  number('New', ({ added }) => added),
  number('Changed', ({ changed }) => changed),
  number('Refused', ({ refused }) => refused),
  {
    title: 'Per minute',
    align: 'right',
    width: 100,
    cell: (run) => <span className="num">{count(rateOf(run))}</span>,
  },
]
const rateOf = ({ lines, startedAt, endedAt }: ImportRun) =>
  Math.round((lines * 60_000) / Math.max(1, Date.parse(endedAt) - Date.parse(startedAt)))

export default numbered('sourceId', SourceScreen)

/** One source with its runs. */
function SourceScreen({ id }: { id: number }) {
  const query = useQuery(qcSourcesApi.sources.query({ itemsPerPage: 100 }))
  const found = useQuery(qcSourcesApi.runs.query({ id, itemsPerPage: 25 }))
  const runs = found.data
  const { busy, run } = useAct()
  const [isEdited, setEdited] = useState(false)
  const source = query.data?.items.find((one) => one.id === id)
  if (!source || !runs) return <Screen query={query.data ? found : query}>{null}</Screen>
  const [last] = runs.items
  const pull = () =>
    run(async () => {
      const made = await qcSourcesApi.pullSource({ id })
      if (!made.error) toast.success(`${counted(made.lines, ['item', 'items'])} read, ${count(made.added)} new`)
      await readAgain(['qc'])
    })
  const toggle = () =>
    run(async () => {
      await qcSourcesApi.updateSource({ id, isActive: !source.isActive, version: source.version })
      await readAgain(['qc'])
    })
  return (
    <Screen
      title={source.name}
      meta={typeNames[source.type]}
      actions={
        <Group gap={12}>
          <Button variant="default" onClick={() => setEdited(true)}>
            Change source…
          </Button>
          <Switch label="On" checked={source.isActive} onChange={() => void toggle()} />
          {source.type !== 'json' && (
            <Button loading={busy} onClick={() => void pull()}>
              Ask now
            </Button>
          )}
        </Group>
      }
    >
      {isEdited && <SourceModal source={source} close={() => setEdited(false)} />}
      <Stack gap={16} maw={980}>
        <Section title="Source">
          <Facts
            of={[
              ['State', <StatusBadge key="state" {...sourceState({ ...source, runs: runs.items })} />],
              ...(source.type === 'json'
                ? []
                : ([
                    ['Address', source.config.url ?? ''],
                    ['Account', source.config.user ?? 'by token'],
                    ['Asked', `every ${source.everyMinutes} minutes`],
                    ['Read up to', source.cursor ? moment(source.cursor) : 'nothing yet'],
                    ...(source.unread.length ? [['Read again later', ticketsText(source.unread)]] : []),
                  ] as [string, string][])),
              ['Conversations', source.conversations >= 10_000 ? '10,000 or more' : count(source.conversations)],
              ['Unknown agents', count(source.unknownAgents)],
            ]}
          />
        </Section>
        {last && (last.error || last.problems.length > 0) && (
          <Section title="Problems of the last run" hint={ago(last.startedAt)}>
            <Stack gap={4}>
              {last.error && <Text c="var(--mantine-color-error-text)">The source: {last.error}</Text>}
              {last.problems.map(({ line, reason }) => (
                <Text key={line}>
                  <span className="num">Item {line}</span>: {reason}
                </Text>
              ))}
            </Stack>
          </Section>
        )}
        <Section title="Runs" pad={false}>
          <SectionTable
            label="Runs"
            columns={columns}
            rows={runs.items}
            keyOf={(one) => one.id}
            narrow="scroll"
            empty="Nothing was imported yet."
          />
        </Section>
      </Stack>
    </Screen>
  )
}

/** Numbers of tickets that could not be read, at most ten. */
const ticketsText = (ids: readonly string[]): string =>
  `${ids
    .slice(0, 10)
    .map((id) => `#${id}`)
    .join(', ')}${ids.length > 10 ? ` and ${count(ids.length - 10)} more` : ''}`
