import type { Repository, RepositorySizes } from '@innkeeper/contract/recovery/backups/shapes'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '../../kit/calendar/days.ts'
import { LineChart } from '../../kit/charts/LineChart.tsx'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Facts } from '../../kit/frame/Section.tsx'
import { bytes, moment } from '../../kit/look/format.ts'
import { backupsApi } from './api.ts'

const DAY = 86_400_000
const AHEAD = 30

/** Size of a repository over time, and when its growth fills the disk. */
export default function SizesModal({ repository, close }: { repository: Repository; close: () => void }) {
  const { data, error } = useQuery(backupsApi.sizes.query({ id: repository.id }))
  return (
    <Dialog opened onClose={close} title={`Size of ${repository.account}`} size={680}>
      {data ? <Sizes sizes={data} /> : <Text c="dimmed">{error?.message ?? <Reading />}</Text>}
    </Dialog>
  )
}

function Sizes({ sizes: { days, growth, free, fullAt } }: { sizes: RepositorySizes }) {
  const last = days.at(-1)
  if (!last) return <Text c="dimmed">Its size has not been read yet. Innkeeper reads it once an hour.</Text>
  const ahead = growth === null || days.length < 2 ? 0 : Math.min(AHEAD, days.length)
  const labels = [...days.map(({ day }) => day), ...Array.from({ length: ahead }, (_, n) => dayAfter(last.day, n + 1))]
  const foreseen = days.map((_, n) => (n === days.length - 1 ? last.size : null))
  for (let n = 1; n <= ahead; n++) foreseen.push(Math.max(0, last.size + n * (growth ?? 0)))
  const size = [...days.map((one) => one.size), ...Array.from({ length: ahead }, () => null)]
  return (
    <Stack gap={14}>
      <LineChart
        title="Size by day"
        format={bytes}
        data={{
          labels: labels.map((day) => dayText(day, 'short')),
          series: [
            { name: 'Size', values: size },
            ...(ahead ? [{ name: 'At the growth of the last 30 days', values: foreseen }] : []),
          ],
        }}
      />
      <Facts
        of={[
          ['Now', bytes(last.size)],
          [
            'Growth',
            growth === null ? 'known after three days' : `${growth < 0 ? '−' : ''}${bytes(Math.abs(growth))} a day`,
          ],
          ['Free on its server', free === null ? 'unknown' : bytes(free)],
          ['Disk full', fullAt ? `${moment(fullAt)}, at the growth of all repositories` : 'not foreseen'],
        ]}
      />
    </Stack>
  )
}

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
