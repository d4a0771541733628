import type { ConfigDiff, ConfigVersionView } from '@innkeeper/contract/recovery/configs/shapes'
import { Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Section } from '../../kit/frame/Section.tsx'
import { SectionBars } from '../../kit/frame/SectionBars.tsx'
import { FileDiffs } from '../../kit/look/FileDiffs.tsx'
import { ago, counted, moment } from '../../kit/look/format.ts'
import { configsApi } from './api.ts'
import { authors } from './words.ts'

/** Versions offered for the comparison. */
const OFFERED = 100

/** What changed since the previous version, or since a chosen one. */
export function Differences({ version }: { version: ConfigVersionView }) {
  const { id, serverId, service, before } = version
  const [chosen, setChosen] = useState<string | null>(null)
  const others = useQuery(
    configsApi.list.query({ server: [String(serverId)], service: [service], itemsPerPage: OFFERED }),
  )
  const { data, error } = useQuery({
    ...configsApi.diff.query({ id, ...(chosen && { with: chosen }) }),
    retry: false,
  })
  const options = (others.data?.items ?? [])
    .filter((other) => other.id !== id)
    .map((other) => ({ value: String(other.id), label: `Version ${other.number}, ${ago(other.collectedAt)}` }))
  return (
    <Section
      title="Changes"
      hint={data && hintOf(data)}
      aside={
        <Select
          size="xs"
          w={230}
          aria-label="Compare with"
          placeholder="Compare with the previous version"
          clearable
          data={options}
          value={chosen ?? (before === null ? null : String(before))}
          onChange={setChosen}
        />
      }
    >
      {error && <Text c="error">{error.message}</Text>}
      {!data && !error && <SectionBars />}
      {data && !data.files.length && <Text c="dimmed">Nothing differs between these versions.</Text>}
      <Stack gap={18}>
        {data?.files.map((file) => (
          <Difference key={file.path} file={file} first={data.from.id === null} />
        ))}
      </Stack>
    </Section>
  )
}

const hintOf = ({ from, to, files }: ConfigDiff) =>
  from.id === null
    ? `the first version: ${counted(files.length, ['file', 'files'])}`
    : `version ${from.number} to ${to.number}, ${counted(files.length, ['file', 'files'])}`

const words = { added: 'added', changed: 'changed', removed: 'removed' }

function Difference({ file, first }: { file: ConfigDiff['files'][number]; first: boolean }) {
  const { path, change, by, package: owner, changedAt, lines, notes } = file
  const who = `${words[change]} by ${authors[by].toLowerCase()}${owner ? `, ships with ${owner}` : ''}`
  return (
    <div>
      <Group gap={8} mb={2}>
        <Text c={by === 'person' ? undefined : 'dimmed'} fz="xs" fw={by === 'person' ? 500 : undefined}>
          {first ? `by ${authors[by].toLowerCase()}` : who}
        </Text>
        <Text c="dimmed" fz="xs">
          {[moment(changedAt), ...notes].join(', ')}
        </Text>
      </Group>
      <FileDiffs files={[{ file: path, lines: first ? [] : lines }]} none="" />
    </div>
  )
}
