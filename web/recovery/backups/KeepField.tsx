import { type KeepPolicy, keepNames } from '@innkeeper/contract/recovery/backups/keep'
import type { When } from '@innkeeper/contract/recovery/backups/when'
import { Input, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { count } from '../../kit/look/format.ts'
import { backupsApi } from './api.ts'
import { KeepCalendar } from './KeepCalendar.tsx'

const labels: Record<(typeof keepNames)[number], string> = {
  last: 'Last',
  hourly: 'Hourly',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  yearly: 'Yearly',
}

interface Props {
  value: KeepPolicy
  onChange: (value: KeepPolicy) => void
  error?: string | undefined
  /** The website or server on whose present backups the policy is previewed. */
  of?: { websiteId?: number | undefined; serverId?: number | undefined }
  /** The schedule that makes the backups. */
  when?: When | undefined
}

/** How many backups of each age stay, with the effect on the present ones before it is saved. */
export function KeepField({ value, onChange, error, when, of = {} }: Props) {
  const asks = of.websiteId !== undefined || of.serverId !== undefined
  const { data } = useQuery({ ...backupsApi.keepPreview.query({ ...of, keep: value }), enabled: asks })
  return (
    <Input.Wrapper label="Keep" error={error}>
      <SimpleGrid cols={{ base: 2, xs: 3 }} spacing={8} verticalSpacing={8} mt={4}>
        {keepNames.map((name) => (
          <NumberField
            key={name}
            size="xs"
            label={labels[name]}
            min={0}
            max={1000}
            value={value[name]}
            onChange={(n) => onChange({ ...value, [name]: Number(n) || 0 })}
          />
        ))}
      </SimpleGrid>
      {data && data.stay + data.go > 0 && (
        <Text c="dimmed" fz="xs" mt={6} role="status">
          Of the present backups {count(data.stay)} stay and {count(data.go)} go.
        </Text>
      )}
      <KeepCalendar keep={value} when={when} backups={data?.backups} />
    </Input.Wrapper>
  )
}
