import type { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Checkbox, Text } from '@mantine/core'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { kinds } from './words.ts'

interface Props {
  lines: readonly PlanLine[]
  /** Keys of lines that people leave out; absent: the plan was started. */
  leaveOut?: ReadonlySet<string>
  /** Keys of databases of an earlier import that people replace. */
  replace?: ReadonlySet<string>
  onToggle?: (line: PlanLine) => void
}

/** What becomes of each thing in the archive. */
export const PlanLines = ({ lines, leaveOut, replace, onToggle }: Props) => (
  <SectionTable
    label="Plan of the import"
    rows={lines}
    keyOf={({ key }) => key}
    empty="The archive contains nothing that is carried."
    columns={[
      ...(onToggle
        ? [
            {
              title: 'Carry',
              width: 60,
              cell: (line: PlanLine) => {
                const { key, name, choice, optIn } = line
                return (
                  <Checkbox
                    aria-label={`Carry ${name}`}
                    disabled={!choice}
                    checked={choice && (optIn ? (replace?.has(key) ?? false) : !leaveOut?.has(key))}
                    onChange={() => onToggle(line)}
                  />
                )
              },
            },
          ]
        : []),
      { title: 'What', width: 110, cell: ({ kind }) => <Text c="dimmed">{kinds[kind]}</Text> },
      {
        title: 'Name',
        cell: ({ name, detail, notes }) => (
          <div>
            <Mono>{name}</Mono>
            {detail && (
              <Text c="dimmed" fz="xs">
                {detail}
              </Text>
            )}
            {notes.map((note) => (
              <Text key={note} fz="xs">
                {note}
              </Text>
            ))}
          </div>
        ),
      },
      { title: 'Verdict', width: 120, cell: ({ verdict }) => <StatusBadge state={verdict} /> },
    ]}
  />
)
