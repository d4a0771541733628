import { Text } from '@mantine/core'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { count } from '../../../kit/look/format.ts'
import { SectionTable, type TableColumn } from '../../../kit/look/SectionTable.tsx'
import { scoreText } from '../words.ts'

interface Row {
  key: string | number
  name: string
  n: number
  mean: number | null
  spread: number | null
  more?: string
  /** Filters of the reviews behind the row; absent if no filter selects them. */
  behind?: Record<string, string>
}

/** Means with number and spread, each group in a table of its own. */
export function Means({ title, hint, rows }: { title: string; hint?: string; rows: readonly Row[] }) {
  return (
    <Section title={title} hint={hint} pad={false}>
      <SectionTable
        label={title}
        rows={rows}
        keyOf={({ key }) => key}
        empty="Nothing is reviewed in this time."
        columns={[
          { title: 'Name', cell: (row) => <Name row={row} /> },
          { title: 'n', align: 'right', cell: ({ n }) => count(n) },
          { title: 'Mean', align: 'right', cell: ({ mean }) => scoreText(mean) },
          { title: 'Spread', align: 'right', cell: ({ spread }) => scoreText(spread) },
          ...(rows.some(({ more }) => more) ? [note] : []),
        ]}
      />
    </Section>
  )
}

const Name = ({ row: { name, behind } }: { row: Row }) =>
  behind ? (
    <LinkTo to="/qc-v2/statistics/reviews" search={behind}>
      {name}
    </LinkTo>
  ) : (
    name
  )

const note: TableColumn<Row> = {
  title: 'Note',
  align: 'right',
  cell: ({ more }) => (
    <Text span c="dimmed">
      {more || '–'}
    </Text>
  ),
}
