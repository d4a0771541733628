import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { useQuery } from '@tanstack/react-query'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { serversApi } from '../../machines/servers/api.ts'
import { webTypes } from '../../machines/servers/choice/availability.ts'

interface Props {
  value: number | undefined
  onChange: (id: number | undefined) => void
  onBlur: () => void
  error?: string | undefined
  /** Types of the offered servers; by default those that serve websites. */
  types?: Server['type'][]
  label?: string
}

/** Chooses a server that has backups, also one that is down or accepts no new websites. */
export function MachineField({ value, onChange, onBlur, error, types = webTypes, label = 'Server' }: Props) {
  const { data: found } = useQuery({
    ...serversApi.list.query({ ids: [value ?? 0], itemsPerPage: 1 }),
    enabled: value !== undefined,
  })
  return (
    <PickOne
      label={label}
      required
      mono
      placeholder="Choose a server"
      call={{
        query: (input: { search: string; itemsPerPage: number }) => serversApi.list.query({ ...input, type: types }),
      }}
      nameOf={({ name }) => name}
      closed={({ lastSeenAt }) => (lastSeenAt ? undefined : 'has no agent yet')}
      value={value ?? null}
      valueName={found?.items[0]?.name ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onBlur={onBlur}
      error={error}
    />
  )
}
