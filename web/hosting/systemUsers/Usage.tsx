import type { SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { count, moment } from '../../kit/look/format.ts'
import { Share } from '../../kit/look/Share.tsx'
import { plansApi } from '../plans/api.ts'
import { size } from '../plans/limits.ts'
import { systemUsersApi } from './api.ts'

/** The present usage, requested from the server, beside the limits of the plan. */
export function Usage({ account: { id, planId } }: { account: SystemUser }) {
  const { data, error, isFetching, refetch } = useQuery({ ...systemUsersApi.usage.query({ id }), retry: false })
  const lacks = useReason()(plansApi.one)
  const { data: plan } = useQuery({ ...plansApi.one.query({ id: planId }), enabled: !lacks })
  const waiting = <Text c="dimmed">{error ? 'unknown' : 'asking its server…'}</Text>
  const of = (used: number | null | undefined, most: number | undefined, say: (n: number) => string) => {
    if (used === undefined) return waiting
    if (used === null) return <Text c="dimmed">not measurable on this server</Text>
    return most === undefined ? say(used) : <Share label={`${say(used)} of ${say(most)}`} share={used / most} />
  }
  return (
    <Section
      title="In use"
      hint={error?.message ?? (data && `asked ${moment(data.at)}`)}
      aside={
        <ActButton
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          Ask again
        </ActButton>
      }
    >
      <Facts
        of={[
          ['Disk', of(data?.diskMb, plan?.diskMb, size)],
          [
            'Disk limit',
            <Text component="div" key="limit" mih={{ base: '2lh', xs: 0 }}>
              {data ? limitOf(data.diskLimit) : waiting}
            </Text>,
          ],
          ['Files', of(data?.files, undefined, count)],
          ['Memory', of(data?.memoryMb, plan?.memoryMb, size)],
          ['Tasks', of(data?.tasks, plan?.tasks, count)],
        ]}
      />
    </Section>
  )
}

const limitOf = ({ enforced, why }: { enforced: boolean; why: string | null }) =>
  enforced ? 'enforced by the file system' : `measured, not enforced: ${why}`
