import type { Overall } from '@innkeeper/contract/quality/qc/statistics'
import { SegmentedControl, Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { dayText } from '../../../kit/calendar/days.ts'
import { BarChart } from '../../../kit/charts/BarChart.tsx'
import { FigureRow } from '../../../kit/charts/FigureRow.tsx'
import { LineChart } from '../../../kit/charts/LineChart.tsx'
import { PieChart } from '../../../kit/charts/PieChart.tsx'
import { deltaOf } from '../../../kit/charts/runs.ts'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { count, counted } from '../../../kit/look/format.ts'
import { populationNames, scoreText } from '../words.ts'
import { Means } from './Means.tsx'

type Shape = 'bar' | 'line' | 'pie'
const shapes = [
  { value: 'bar', label: 'Bar' },
  { value: 'line', label: 'Line' },
  { value: 'pie', label: 'Pie' },
]

interface Props {
  figures: Overall
  /** Figures of the period before, of the same length. */
  before?: Overall | undefined
  /** Filters, for links to the reviews behind a figure. */
  asked: Record<string, string>
}

/** All statistics of the reviews of a time span. */
export default function Figures({ figures, before, asked }: Props) {
  const [shape, setShape] = useLocalStorage<Shape>({ key: 'qc-statistics-shape', defaultValue: 'bar' })
  const buckets = figures.histogram.map((n, at) => ({
    ...{ n, label: at === 9 ? '90–100' : `${at * 10}–${at * 10 + 9}` },
    behind: { ...asked, scoreFrom: String(at * 10), scoreBelow: String(at === 9 ? 101 : at * 10 + 10) },
  }))
  const distribution = {
    labels: buckets.map(({ label }) => label),
    series: [{ name: 'Reviews', values: figures.histogram, ...(before && { before: before.histogram }) }],
    beforeName: 'the period before',
  }
  const trend = {
    labels: figures.periods.map(({ period }) => dayText(period, 'short')),
    series: [
      {
        name: 'Mean',
        values: figures.periods.map(({ mean }) => mean),
      },
    ],
  }
  const links = buckets.map(
    ({ label, n, behind }) =>
      n > 0 && (
        <LinkTo
          key={label}
          to="/qc-v2/statistics/reviews"
          search={behind}
          aria-label={`Score ${label}: ${counted(n, ['review', 'reviews'])}`}
        />
      ),
  )
  const Chart = shape === 'line' ? LineChart : BarChart
  const since = before && 'since the period before'
  if (figures.n + figures.withoutScore === 0)
    return (
      <EmptyState title="No review in this time" tag="ST">
        Choose other days or filters.
      </EmptyState>
    )
  return (
    <Stack gap={16}>
      <FigureRow
        figures={[
          {
            ...{ label: 'Mean score', value: scoreText(figures.mean), hint: since },
            ...(before &&
              before.mean !== null &&
              figures.mean !== null && { delta: deltaOf(figures.mean, before.mean, 'up') }),
          },
          {
            ...{
              label: 'Reviews',
              value: count(figures.n),
              hint: figures.withoutScore ? `and ${count(figures.withoutScore)} without a score` : since,
            },
            ...(before && { delta: deltaOf(figures.n, before.n) }),
          },
          { label: 'Spread', value: scoreText(figures.spread), hint: 'standard deviation' },
          {
            ...{ label: 'Failed', value: count(figures.failed), hint: 'a critical type at 0' },
            ...(before && { delta: deltaOf(figures.failed, before.failed, 'down') }),
          },
        ]}
      />
      <Section
        title="Distribution"
        hint="reviews by score"
        aside={
          <SegmentedControl
            size="xs"
            aria-label="Charts as"
            data={shapes}
            value={shape}
            onChange={(next) => setShape(next === 'line' || next === 'pie' ? next : 'bar')}
          />
        }
      >
        {shape === 'pie' ? (
          <PieChart title="Reviews by score" name="Reviews" slices={slicesOf(buckets)} />
        ) : (
          <Chart title="Reviews by score" data={distribution} below="Score of the review" links={links} />
        )}
      </Section>
      {figures.periods.length > 0 && (
        <Section title="Trend" hint="mean per week">
          <Chart
            title="Mean score per week"
            data={trend}
            format={scoreText}
            below="Monday of the week"
            axis={{ min: 0, max: 100 }}
          />
        </Section>
      )}
      <Means
        title="Score types"
        hint="each review counts alike; weights and critical types act on reviews only"
        rows={figures.types.map(({ typeId, typeName, notApplicable, ...row }) => ({
          ...{ key: typeId, name: typeName, behind: { ...asked, scoreType: String(typeId) } },
          ...{ more: notApplicable ? `${count(notApplicable)} N/A` : '' },
          ...row,
        }))}
      />
      <Means
        title="Departments"
        hint="of the agents on the day of the conversation"
        rows={figures.departments.map(({ department, ...row }) => ({
          ...{ key: department?.id ?? 0, name: department?.name ?? 'No department', ...row },
          ...(department && { behind: { ...asked, department: String(department.id) } }),
        }))}
      />
      <Means
        title="How they were chosen"
        hint="samples and filtered items are different populations"
        rows={figures.populations.map(({ population, ...row }) => ({
          ...{ key: population, name: populationNames[population], behind: { ...asked, population } },
          ...row,
        }))}
      />
      <Means
        title="Reviewers"
        hint="severity: own mean less the mean of all; in calibrations: mean distance from the others"
        rows={figures.reviewers.map(({ reviewer, severity, agreement, ...row }) => ({
          ...{ key: reviewer.id, name: reviewer.name, behind: { ...asked, reviewer: String(reviewer.id) } },
          ...{ more: judged(severity, agreement) },
          ...row,
        }))}
      />
    </Stack>
  )
}

/** The four largest slices, and the rest as one. */
function slicesOf(buckets: readonly { label: string; n: number }[]) {
  const sorted = buckets.filter(({ n }) => n > 0).toSorted((a, b) => b.n - a.n)
  const rest = sorted.slice(4).reduce((sum, { n }) => sum + n, 0)
  const most = sorted.slice(0, 4).map(({ label, n }) => ({ label, value: n }))
  return rest ? [...most, { label: 'Others', value: rest }] : most
}

/** `severity +3.2, distance 8.0 in 12 grades` */
function judged(severity: number | null, agreement: Overall['reviewers'][number]['agreement']): string {
  const parts = severity === null ? [] : [`severity ${signed(severity)}`]
  if (agreement) parts.push(`distance ${scoreText(agreement.distance)} in ${counted(agreement.n, ['grade', 'grades'])}`)
  return parts.join(', ')
}

const signed = (n: number) => `${n > 0 ? '+' : ''}${n.toFixed(1)}`
