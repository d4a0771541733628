import type { Ratings } from '@innkeeper/contract/quality/qc/statistics'
import { Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dayText } from '../../../kit/calendar/days.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { count } from '../../../kit/look/format.ts'
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
  const hasScores = rows.some(({ n }) => n !== undefined)
  const numbers = ({ n, mean, rated, csat, both, csatOfBoth, scoreOfBoth }: Row) => [
    ...(hasScores ? [count(n ?? 0), scoreText(mean ?? null)] : []),
    ...[count(rated), scoreText(csat), count(both), scoreText(csatOfBoth), scoreText(scoreOfBoth)],
  ]
  const titles = [
    ...(hasScores ? ['Reviewed', 'Mean score'] : []),
    ...['Rated', 'Mean rating', 'With both', 'Rating of these', 'Score of these'],
  ]
  return (
    <Table.ScrollContainer type="native" tabIndex={0} minWidth={640}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{first}</Table.Th>
            {titles.map((title) => (
              <Table.Th key={title} ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Td>{row.name}</Table.Td>
              {numbers(row).map((value, at) => (
                <Table.Td key={titles[at]} ta="right" className="num">
                  {value}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
