import { Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { qcStatisticsApi } from '../api.ts'
import Figures from './Figures.tsx'
import { periodBefore, useAsked } from './useAsked.tsx'

export default numbered('userId', UserStatisticsScreen)

function UserStatisticsScreen({ id }: { id: number }) {
  const { asked, fields } = useAsked(['agent'])
  const query = useQuery({ ...qcStatisticsApi.user.query({ id, ...asked }), placeholderData: keepPreviousData })
  const { data: before } = useQuery(qcStatisticsApi.user.query({ id, ...periodBefore(asked) }))
  return (
    <Screen query={query} {...(query.data && { title: query.data.agent.name })}>
      <Stack gap={16} maw={1400}>
        {fields}
        {query.data && <Figures figures={query.data} before={before} asked={{ ...asked, agent: String(id) }} />}
      </Stack>
    </Screen>
  )
}
