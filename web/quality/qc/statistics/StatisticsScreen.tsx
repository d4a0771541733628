import { Stack, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { count } from '../../../kit/look/format.ts'
import { qcStatisticsApi } from '../api.ts'
import { scoreText } from '../words.ts'
import { RatingsSection } from './RatingsSection.tsx'
import { periodBefore, useAsked } from './useAsked.tsx'

const Figures = lazyPart(
  () => import('./Figures.tsx'),
  () => null,
)

/** Quality of a time span and of the reviews that match the filters, and of each agent. */
export default function StatisticsScreen() {
  const { asked, fields } = useAsked()
  const query = useQuery({ ...qcStatisticsApi.overall.query(asked), placeholderData: keepPreviousData })
  const { data: before } = useQuery(qcStatisticsApi.overall.query(periodBefore(asked)))
  const { data: users } = useQuery({ ...qcStatisticsApi.users.query(asked), placeholderData: keepPreviousData })
  return (
    <Screen query={query}>
      <Stack gap={16} maw={1400}>
        {fields}
        <Together>
          {query.data && <Figures figures={query.data} before={before} asked={asked} />}
          <RatingsSection asked={asked} />
          {users && (
            <Section title="Agents" hint={`ranked from ${users.minimumN} reviews`} pad={false}>
              <Table.ScrollContainer type="native" tabIndex={0} minWidth={420}>
                <Table>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Rank</Table.Th>
                      <Table.Th>Agent</Table.Th>
                      <Table.Th>Department</Table.Th>
                      <Table.Th ta="right">n</Table.Th>
                      <Table.Th ta="right">Mean</Table.Th>
                      <Table.Th ta="right">Spread</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {users.items.map(({ agent, departmentName, n, mean, spread, rank }) => (
                      <Table.Tr key={agent.id}>
                        <Table.Td className="num">{rank ?? '–'}</Table.Td>
                        <Table.Td>
                          <LinkTo
                            to="/qc-v2/statistics/users/$userId"
                            params={{ userId: String(agent.id) }}
                            search={asked}
                          >
                            {agent.name}
                          </LinkTo>
                        </Table.Td>
                        <Table.Td c="dimmed">{departmentName ?? 'none'}</Table.Td>
                        <Table.Td ta="right" className="num">
                          {count(n)}
                        </Table.Td>
                        <Table.Td ta="right" className="num">
                          {scoreText(mean)}
                        </Table.Td>
                        <Table.Td ta="right" className="num">
                          {scoreText(spread)}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            </Section>
          )}
        </Together>
      </Stack>
    </Screen>
  )
}
