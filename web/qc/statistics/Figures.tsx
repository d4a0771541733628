import type { Overall } from '@innkeeper/contract/qc/statistics'
import { Stack, Table, Text } from '@mantine/core'
import { BarChart } from '../../kit/charts/BarChart.tsx'
import { FigureRow } from '../../kit/charts/FigureRow.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { count } from '../../kit/look/format.ts'
import { scoreText } from '../words.ts'

const populations = {
  everything: 'Every conversation',
  sample: 'Sampled',
  filter: 'By cron filter',
  manual: 'By hand',
} as const

interface Row {
  key: string | number
  name: string
  n: number
  mean: number | null
  spread: number | null
  more?: string
}

/** Means with number and spread, each group in a table of its own. */
function Means({ title, hint, rows }: { title: string; hint?: string; rows: readonly Row[] }) {
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
            {rows.map(({ key, name, n, mean, spread, more }) => (
              <Table.Tr key={key}>
                <Table.Td>{name}</Table.Td>
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

/** Everything about the reviews of a time span. */
export const Figures = ({ figures }: { figures: Overall }) => (
  <Stack gap={16}>
    <FigureRow
      figures={[
        { label: 'Mean score', value: scoreText(figures.mean), of: `n ${count(figures.n)}` },
        { label: 'Spread', value: scoreText(figures.spread), hint: 'standard deviation' },
        { label: 'Failed', value: count(figures.failed), hint: 'a critical type at 0' },
        { label: 'Without score', value: count(figures.withoutScore), hint: 'everything N/A' },
      ]}
    />
    <Section title="Distribution" hint="reviews by score">
      <BarChart
        title="Reviews by score"
        data={{
          labels: figures.histogram.map((_, n) => (n === 9 ? '90–100' : `${n * 10}–${n * 10 + 9}`)),
          series: [{ name: 'Reviews', values: figures.histogram }],
        }}
        table="beside"
      />
    </Section>
    {figures.periods.length > 0 && (
      <Section title="Trend" hint="mean per week">
        <BarChart
          title="Mean score per week"
          data={{
            labels: figures.periods.map(({ period }) => period),
            series: [{ name: 'Mean', values: figures.periods.map(({ mean }) => mean) }],
          }}
          format={scoreText}
        />
      </Section>
    )}
    <Means
      title="Score types"
      hint="each review counts alike; weights and critical types act on reviews only"
      rows={figures.types.map(({ typeId, typeName, notApplicable, ...row }) => ({
        ...{ key: typeId, name: typeName, more: notApplicable ? `${count(notApplicable)} N/A` : '' },
        ...row,
      }))}
    />
    <Means
      title="How they were chosen"
      hint="samples and filtered items are different populations"
      rows={figures.populations.map(({ population, ...row }) => ({
        ...{ key: population, name: populations[population] },
        ...row,
      }))}
    />
    <Means
      title="Reviewers"
      hint="severity: own mean less the mean of all"
      rows={figures.reviewers.map(({ reviewer, severity, ...row }) => ({
        ...{ key: reviewer.id, name: reviewer.name, more: severity === null ? '' : signed(severity) },
        ...row,
      }))}
    />
  </Stack>
)

const signed = (n: number) => `${n > 0 ? '+' : ''}${n.toFixed(1)}`
