import type { ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Text } from '@mantine/core'
import { Section } from '../../kit/frame/Section.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'

/** What the archive has beside what is here now. */
export function Report({ lines }: { lines: readonly ReportLine[] }) {
  const of = (state: ReportLine['verdict']) => lines.filter(({ verdict }) => verdict === state).length
  const [bad, other] = [of('differs'), of('changed') + of('kept')]
  return (
    <Section
      title="Comparison"
      hint={
        bad
          ? counted(bad, ['line differs', 'lines differ'])
          : other
            ? `${lines.length} lines, none differs; ${counted(other, ['change is', 'changes are'])} listed`
            : `${lines.length} lines, all the same`
      }
      pad={false}
    >
      <SectionTable
        label="Comparison of archive and server"
        rows={lines}
        keyOf={({ kind, name, what, archive }) => `${kind} ${name} ${what} ${archive}`}
        empty="Nothing was compared."
        columns={[
          { title: 'Name', cell: ({ name }) => <Mono>{name}</Mono> },
          { title: 'What', cell: ({ what }) => <Text c="dimmed">{what}</Text> },
          { title: 'Archive', align: 'right', cell: ({ archive }) => archive },
          { title: 'Here', align: 'right', cell: ({ here }) => here },
          { title: 'Verdict', width: 110, cell: ({ verdict }) => <StatusBadge state={verdict} /> },
        ]}
      />
    </Section>
  )
}
