import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { qcStatisticsApi } from '../api.ts'
import { Figures } from './Figures.tsx'
import { useSpan } from './useSpan.tsx'

export default numbered('userId', UserStatisticsScreen)

function UserStatisticsScreen({ id }: { id: number }) {
  const { span, fields } = useSpan()
  const query = useQuery({ ...qcStatisticsApi.user.query({ id, ...span }), placeholderData: keepPreviousData })
  return (
    <Screen query={query} {...(query.data && { title: query.data.agent.name })}>
      <Stack gap={16} maw={980}>
        {fields}
        {query.data && <Figures figures={query.data} asked={{ ...span, agent: String(id) }} />}
      </Stack>
    </Screen>
  )
}
