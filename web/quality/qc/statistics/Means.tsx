import { Table, Text } from '@mantine/core'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { count } from '../../../kit/look/format.ts'
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
      <Table.ScrollContainer type="native" tabIndex={0} minWidth={420}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th ta="right">n</Table.Th>
              <Table.Th ta="right">Mean</Table.Th>
              <Table.Th ta="right">Spread</Table.Th>
              <Table.Th ta="right" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ key, name, n, mean, spread, more, behind }) => (
              <Table.Tr key={key}>
                <Table.Td>
                  {behind ? (
                    <LinkTo to="/qc-v2/statistics/reviews" search={behind}>
                      {name}
                    </LinkTo>
                  ) : (
                    name
                  )}
                </Table.Td>
                <Table.Td ta="right" className="num">
                  {count(n)}
                </Table.Td>
                <Table.Td ta="right" className="num">
                  {scoreText(mean)}
                </Table.Td>
                <Table.Td ta="right" className="num">
                  {scoreText(spread)}
                </Table.Td>
                <Table.Td ta="right" c="dimmed">
                  {more}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rows.length === 0 && (
        <Text c="dimmed" p={14}>
          Nothing is reviewed in this time.
        </Text>
      )}
    </Section>
  )
}
