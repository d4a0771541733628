import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { count } from '../../../kit/look/format.ts'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
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
              <SectionTable
                label="Agents"
                rows={users.items}
                keyOf={({ agent }) => agent.id}
                columns={[
                  {
                    title: 'Agent',
                    cell: ({ agent }) => (
                      <LinkTo to="/qc-v2/statistics/users/$userId" params={{ userId: String(agent.id) }} search={asked}>
                        {agent.name}
                      </LinkTo>
                    ),
                  },
                  { title: 'Rank', align: 'right', cell: ({ rank }) => rank ?? '–' },
                  { title: 'Department', cell: ({ departmentName }) => departmentName ?? 'none' },
                  { title: 'n', align: 'right', cell: ({ n }) => count(n) },
                  { title: 'Mean', align: 'right', cell: ({ mean }) => scoreText(mean) },
                  { title: 'Spread', align: 'right', cell: ({ spread }) => scoreText(spread) },
                ]}
              />
            </Section>
          )}
        </Together>
      </Stack>
    </Screen>
  )
}
