import type { DumpFinding, DumpLook } from '@innkeeper/contract/hosting/databases/dumps'
import { Text } from '@mantine/core'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'

/** What an import does with each topic, in a few words. */
const words: Record<DumpFinding['topic'], string> = {
  definer: 'Runs as the account of the website instead',
  collation: 'This server lacks the collation',
  'sql mode': 'The dump sets it for itself',
  database: 'The dump goes into the chosen database',
  accounts: 'An import changes no accounts',
  'server settings': 'An import changes no settings of the server',
  'other database': 'An import reaches one database',
  'files of the server': 'An import reads and writes no files',
  'server commands': 'An import gives the server no commands',
  'client commands': 'An import runs no programs',
  incomplete: 'The end is missing',
  format: 'About the file',
}
const order: DumpFinding['effect'][] = ['refused', 'left out', 'rewritten', 'noted']

/** What an import would rewrite, leave out or refuse. */
export function Findings({ look: { findings }, name }: { look: DumpLook; name: string }) {
  if (!findings.length)
    return (
      <Text c="dimmed" fz="xs">
        Nothing in the dump has to change.
      </Text>
    )
  const rows = order.flatMap((effect) => findings.filter((one) => one.effect === effect))
  return (
    <SectionTable
      label={`What is found in ${name}`}
      edges={false}
      maxHeight={320}
      rows={rows}
      keyOf={({ effect, topic, what }) => `${effect} ${topic} ${what}`}
      columns={[
        {
          title: 'Import',
          width: 86,
          cell: ({ effect }) => (
            <Text span fz="sm" fw={effect === 'refused' ? 600 : undefined} c={effect === 'refused' ? 'red' : undefined}>
              {effect}
            </Text>
          ),
        },
        {
          title: 'What',
          cell: ({ what, topic }) => (
            <div>
              <Mono style={{ overflowWrap: 'anywhere' }}>{what}</Mono>
              <Text c="dimmed" fz="xs">
                {words[topic]}
              </Text>
            </div>
          ),
        },
        { title: 'Line', width: 60, align: 'right', cell: ({ line }) => (line ? line : '') },
        { title: 'Times', width: 60, align: 'right', cell: ({ count }) => count },
      ]}
    />
  )
}
