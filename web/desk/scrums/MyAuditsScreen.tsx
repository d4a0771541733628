import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { session } from '../../kit/access/session.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { toId } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { AuditsOf } from './AuditsOf.tsx'
import { AuditView } from './AuditView.tsx'
import { scrumsApi } from './api.ts'
import { Trend } from './Trend.tsx'

/** One's own audits, which need no permission: the list with the trend, or one audit to acknowledge. */
export default function MyAuditsScreen() {
  const { audit } = useSearch({ strict: false })
  const id = toId(String(audit ?? ''))
  return id === undefined ? <Mine /> : <One key={id} id={id} />
}

function Mine() {
  const id = session.user.id
  const query = useQuery(scrumsApi.trend.query({ id }))
  if (!query.data) return <Screen query={query}>{null}</Screen>
  return (
    <Screen>
      <Stack gap={16}>
        <Trend trend={query.data} />
        <AuditsOf id={id} own />
      </Stack>
    </Screen>
  )
}

function One({ id }: { id: number }) {
  const query = useQuery(scrumsApi.audit.query({ id }))
  if (!query.data) return <Screen query={query}>{null}</Screen>
  return (
    <Screen title={query.data.name} meta={<LinkTo to="/scrums/my">All my audits</LinkTo>}>
      <AuditView audit={query.data} />
    </Screen>
  )
}
