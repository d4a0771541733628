import type { Plan } from '@innkeeper/contract/hosting/plans'
import { Alert, Checkbox, List, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { plansApi } from './api.ts'
import { figures, type WantedPlan } from './form.ts'

const SHOWN = 5

interface Props {
  plan: Plan
  wanted: WantedPlan
  keep: boolean
  onKeep: (keep: boolean) => void
}

/** The accounts on the plan that would exceed the limits being typed. */
export function WhoExceeds({ plan, wanted, keep, onKeep }: Props) {
  const [typed] = useDebouncedValue(JSON.stringify({ websites: wanted.websites, phpVersions: wanted.phpVersions }), 300)
  // the contract refuses incomplete input, so do not retry
  const { data } = useQuery({
    ...plansApi.preview.query({ id: plan.id, ...(JSON.parse(typed) as Pick<WantedPlan, 'websites' | 'phpVersions'>) }),
    placeholderData: keepPreviousData,
    retry: false,
    enabled: plan.systemUsers > 0,
  })
  if (!data || !plan.systemUsers) return null
  const machine = figures.slice(1, 4).some(({ key }) => wanted[key] !== String(plan[key]))
  const reach = `${counted(data.systemUsers, ['system user', 'system users'])} on ${counted(data.servers, ['server', 'servers'])}`
  if (!data.total)
    return (
      <Text c="dimmed">
        {machine ? `${reach} get the new limits.` : `${reach} have this plan. None exceeds these limits.`}
      </Text>
    )
  return (
    <Alert
      color="warning"
      p="10px 14px"
      title={`${counted(data.total, ['system user has', 'system users have'])} more than this allows`}
    >
      <List spacing={2} mb={8}>
        {data.exceeding.slice(0, SHOWN).map(({ systemUserId, username, serverName, what }) => (
          <List.Item key={systemUserId}>
            <Mono>{username}</Mono> on <Mono>{serverName}</Mono> {what.join(' and ')}
          </List.Item>
        ))}
        {data.total > SHOWN && <List.Item>and {data.total - SHOWN} more</List.Item>}
      </List>
      <Checkbox
        label="Keep their websites and databases, without new ones"
        checked={keep}
        onChange={(event) => onKeep(event.currentTarget.checked)}
      />
    </Alert>
  )
}
