import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../kit/look/format.ts'
import { groupsApi } from '../../groups/api.ts'

interface Props {
  ownerId: number | undefined
  value: number | undefined
  onChange: (id: number | undefined) => void
  onBlur: () => void
  error?: string
}

/** Groups of the chosen owner; a website joins one of them or none. */
export function GroupField({ ownerId, value, onChange, onBlur, error }: Props) {
  const { data, error: failed } = useQuery({
    ...groupsApi.list.query({ owner: ownerId === undefined ? undefined : [ownerId], itemsPerPage: 200 }),
    enabled: ownerId !== undefined,
  })
  const groups = ownerId === undefined ? [] : (data?.items ?? [])
  const none = ownerId !== undefined && data !== undefined && groups.length === 0
  return (
    <Select
      label="Group"
      placeholder="None"
      clearable
      disabled={groups.length === 0}
      data={groups.map(({ id, mainDomain }) => ({ value: String(id), label: mainDomain }))}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      onBlur={onBlur}
      error={error ?? failed?.message}
      description={
        ownerId === undefined
          ? 'One of the owner’s; choose the owner first'
          : none
            ? 'The owner has no website group'
            : `The owner has ${counted(groups.length, ['group', 'groups'])}`
      }
    />
  )
}
