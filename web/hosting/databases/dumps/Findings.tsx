import type { DatabaseImport, DumpFinding, DumpLook } from '@innkeeper/contract/hosting/databases/dumps'
import { Text } from '@mantine/core'
import { useReason } from '../../../kit/access/reasons.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { databasesApi } from '../api.ts'
import { readAs } from './acts.ts'

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
  statement: 'Tried in a scratch database',
}
const order: DumpFinding['effect'][] = ['refused', 'left out', 'rewritten', 'noted']

/** A finding that is the name of a database alone. */
const isName = /^[A-Za-z0-9_$-]{1,64}$/

/** What an import would rewrite, leave out or refuse. */
export function Findings({ look: { findings, tried }, of }: { look: DumpLook; of: DatabaseImport }) {
  const lacking = useReason()
  const { fileName: name, databaseName } = of
  if (!findings.length)
    return (
      <Text c="dimmed" fz="xs">
        Nothing in the dump has to change.{tried && ' Every statement ran in a scratch database.'}
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
              {topic === 'other database' && isName.test(what) && (
                <ActButton
                  size="compact-xs"
                  variant="default"
                  reason={lacking(databasesApi.readDumpAs)}
                  onClick={() => void readAs(of, what)}
                >
                  Read {what} as {databaseName}
                </ActButton>
              )}
            </div>
          ),
        },
        { title: 'Line', width: 60, align: 'right', cell: ({ line }) => (line ? line : '') },
        { title: 'Times', width: 60, align: 'right', cell: ({ count }) => count },
      ]}
    />
  )
}
