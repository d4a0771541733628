import type { ReportLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Text } from '@mantine/core'
import { Section } from '../../kit/frame/Section.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'

/** What the archive has beside what is here now. */
export function Report({ lines }: { lines: readonly ReportLine[] }) {
  const bad = lines.filter(({ verdict }) => verdict === 'differs').length
  return (
    <Section
      title="Comparison"
      hint={bad ? `${counted(bad, ['line differs', 'lines differ'])}` : `${lines.length} lines, all the same`}
      pad={false}
    >
      <SectionTable
        label="Comparison of archive and server"
        rows={lines}
        keyOf={({ kind, name, what }) => `${kind} ${name} ${what}`}
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
