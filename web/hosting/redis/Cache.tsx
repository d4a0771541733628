import type { RedisSeen, RedisStatus } from '@innkeeper/contract/hosting/redis'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { ago, bytes, count, lasting } from '../../kit/look/format.ts'
import { Share } from '../../kit/look/Share.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { size } from '../plans/limits.ts'
import { notSwitchable } from '../websites/page/switching.ts'
import { disable, enable } from './acts.ts'
import { redisApi } from './api.ts'

/** Milliseconds after which an opened page refreshes the figures. */
const STALE = 30_000

/** The Redis of a website: its state, memory use and hit rate. */
export default function Cache({ website }: { website: Website }) {
  const { data, error } = useQuery(redisApi.status.query({ website_id: website.id }))
  const { busy, run } = useAct()
  const ask = () => run(() => redisApi.status({ website_id: website.id, sync: 'true' }))
  const isOn = data?.state === 'on'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per opening or activation, not per answer
  useEffect(() => {
    if (isOn && (!data.seenAt || Date.now() - Date.parse(data.seenAt) > STALE)) void ask()
  }, [isOn])
  return (
    <Section
      title="Redis cache"
      hint={error?.message ?? hint(data)}
      aside={
        <Group gap={8} wrap="nowrap">
          {isOn && (
            <ActButton
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} />}
              loading={busy}
              onClick={() => void ask()}
            >
              Ask again
            </ActButton>
          )}
          {data && <Switch website={website} status={data} />}
        </Group>
      }
    >
      {data ? <About status={data} /> : <Text c="dimmed">{error ? 'It could not be read.' : <Reading />}</Text>}
    </Section>
  )
}

const hint = (status?: RedisStatus) =>
  status?.state === 'on' && status.seenAt ? (status.problem ?? `asked ${ago(status.seenAt)}`) : undefined

function Switch({ website, status: { state } }: { website: Website; status: RedisStatus }) {
  const lacking = useReason()
  const never = website.status === 'active' ? undefined : notSwitchable(website)
  const suspended = website.status === 'suspended' ? `${website.domain} is suspended: activate it first.` : undefined
  if (state === 'off')
    return (
      <ActButton
        size="xs"
        variant="default"
        reason={lacking(redisApi.enable) ?? never ?? suspended}
        onClick={() => void enable(website)}
      >
        Turn on
      </ActButton>
    )
  return (
    <ActButton
      size="xs"
      variant="default"
      reason={
        lacking(redisApi.disable) ??
        never ??
        suspended ??
        (state === 'on' ? undefined : 'The cache is being changed: see the workflow beside.')
      }
      onClick={() => void disable(website)}
    >
      Turn off…
    </ActButton>
  )
}

function About({ status: { state, socket, memoryMb, seen } }: { status: RedisStatus }) {
  if (state === 'off')
    return (
      <Text c="dimmed">
        Off. Turned on, the website gets a Redis of its own, with {size(memoryMb)} of its account’s memory. Only its
        account can open the socket. The cache stores nothing on disk, and evicts the least recently used entries when
        it is full.
      </Text>
    )
  return (
    <Facts
      of={[
        ['Status', <StatusBadge key="status" state={state === 'on' && seen && !seen.up ? 'down' : state} />],
        [
          'Socket',
          socket && (
            <CodeBlock key="socket" label="path of the socket">
              {socket}
            </CodeBlock>
          ),
        ],
        ...(state === 'on' && seen?.up ? figures(seen) : [['Memory', `up to ${size(memoryMb)}`] as [string, string]]),
        ...(state === 'on' && seen?.problem ? [['Problem', seen.problem] as [string, string]] : []),
      ]}
    />
  )
}

function figures(seen: RedisSeen): [label: string, value: React.ReactNode][] {
  const { usedBytes, maxBytes, hits, misses, keys, evicted, uptimeSeconds, redisVersion } = seen
  const asked = hits + misses
  return [
    [
      'Memory',
      <Share
        key="memory"
        label={`${bytes(usedBytes)} of ${bytes(maxBytes)}`}
        share={maxBytes ? usedBytes / maxBytes : 0}
      />,
    ],
    ['Hits', asked ? `${Math.round((100 * hits) / asked)} % of ${count(asked)} lookups` : 'no lookup yet'],
    ['Keys', evicted ? `${count(keys)}; ${count(evicted)} evicted to make room` : count(keys)],
    ['Up for', `${lasting(uptimeSeconds * 1000)}${redisVersion ? `, Redis ${redisVersion}` : ''}`],
  ]
}
