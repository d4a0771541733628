import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { AuditsOf } from './AuditsOf.tsx'
import { scrumsApi } from './api.ts'
import { Trend } from './Trend.tsx'

export default numbered('userId', DevAuditScreen)

function DevAuditScreen({ id }: { id: number }) {
  const query = useQuery(scrumsApi.trend.query({ id }))
  if (!query.data) return <Screen query={query}>{null}</Screen>
  return (
    <Screen
      title={query.data.user.name}
      meta="Scrum audits"
      actions={
        <CreateButton call={scrumsApi.createAudit} to="/scrums/create">
          Create audit
        </CreateButton>
      }
    >
      <Stack gap={16}>
        <Trend trend={query.data} />
        <AuditsOf id={id} />
      </Stack>
    </Screen>
  )
}
