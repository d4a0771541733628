import type { TrafficPoint } from '@innkeeper/contract/net/vhosts/shapes'
import { SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LineChart } from '../../../kit/charts/LineChart.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { bytes, count, moment } from '../../../kit/look/format.ts'
import { vhostsApi } from '../api.ts'
import { filled } from './filled.ts'

const spans = [
  { value: '6', label: '6 hours' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
]

/** Requests with and without the cache, and bytes sent. */
export function Traffic({ vhostId }: { vhostId: number }) {
  const [hours, setHours] = useState('24')
  const [what, setWhat] = useState('requests')
  const { data, error } = useQuery({
    ...vhostsApi.traffic.query({ id: vhostId, hours: Number(hours) }),
    placeholderData: keepPreviousData,
  })
  if (!data) return <Text c="dimmed">{error?.message ?? <Reading />}</Text>
  const points = filled(data.items, Number(hours))
  const labels = points.map(({ at }) => moment(at))
  const of = (field: keyof Omit<TrafficPoint, 'at'>) => points.map((point) => point[field])
  return (
    <Stack gap={10}>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
        <SegmentedControl size="xs" aria-label="Of which time" data={spans} value={hours} onChange={setHours} />
        <SegmentedControl
          size="xs"
          aria-label="Of what"
          data={[
            { value: 'requests', label: 'Requests' },
            { value: 'bytes', label: 'Bytes' },
          ]}
          value={what}
          onChange={setWhat}
        />
      </div>
      {what === 'bytes' ? (
        <LineChart
          title="Bytes that its edges sent"
          format={bytes}
          data={{ labels, series: [{ name: 'Sent', values: of('bytes') }] }}
        />
      ) : (
        <LineChart
          title="Requests at its edges"
          format={count}
          data={{
            labels,
            series: [
              { name: 'From the cache', values: of('hits') },
              { name: 'Fetched', values: of('misses') },
              { name: 'Never kept', values: of('passed') },
            ],
          }}
        />
      )}
    </Stack>
  )
}
