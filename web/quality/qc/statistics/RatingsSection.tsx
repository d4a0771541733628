import type { Ratings } from '@innkeeper/contract/quality/qc/statistics'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dayText } from '../../../kit/calendar/days.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { count } from '../../../kit/look/format.ts'
import { SectionTable, type TableColumn } from '../../../kit/look/SectionTable.tsx'
import { qcStatisticsApi } from '../api.ts'
import { scoreText } from '../words.ts'

type Row = Omit<Ratings, 'periods' | 'teams'> & { key: string; name: string; n?: number; mean?: number | null }

/** Ratings of customers beside scores of reviews, by week and by team. */
export function RatingsSection({ asked }: { asked: Record<string, string> }) {
  const { from, to, kind, agent, department } = asked
  const filters = Object.fromEntries(Object.entries({ from, to, kind, agent, department }).filter(([, value]) => value))
  const { data } = useQuery({ ...qcStatisticsApi.ratings.query(filters), placeholderData: keepPreviousData })
  if (!data || (data.rated === 0 && data.teams.length === 0)) return null
  const weeks = data.periods.map(({ period, ...row }) => ({ key: period, name: dayText(period, 'short'), ...row }))
  const teams = data.teams.map(({ team, ...row }) => ({
    key: String(team?.id ?? 0),
    name: team?.name ?? 'No team',
    ...row,
  }))
  return (
    <>
      {data.rated > 0 && (
        <Section title="Ratings beside scores" hint="of conversations by week of the last message" pad={false}>
          <Rows first="Week from" rows={[...weeks, { key: 'all', name: 'All', ...data }]} />
        </Section>
      )}
      {teams.length > 0 && (
        <Section title="Teams" hint="of the agents on the day of the conversation" pad={false}>
          <Rows first="Team" rows={teams} />
        </Section>
      )}
    </>
  )
}

function Rows({ first, rows }: { first: string; rows: readonly Row[] }) {
  const number = (title: string, text: (row: Row) => string): TableColumn<Row> => ({
    title,
    align: 'right',
    cell: text,
  })
  const scores = [
    number('Reviewed', ({ n }) => count(n ?? 0)),
    number('Mean score', ({ mean }) => scoreText(mean ?? null)),
  ]
  return (
    <SectionTable
      label={first}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { title: first, cell: ({ name }) => name },
        ...(rows.some(({ n }) => n !== undefined) ? scores : []),
        number('Rated', ({ rated }) => count(rated)),
        number('Mean rating', ({ csat }) => scoreText(csat)),
        number('With both', ({ both }) => count(both)),
        number('Rating of these', ({ csatOfBoth }) => scoreText(csatOfBoth)),
        number('Score of these', ({ scoreOfBoth }) => scoreText(scoreOfBoth)),
      ]}
    />
  )
}
