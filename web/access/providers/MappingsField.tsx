import type { Provider } from '@innkeeper/contract/access/providers'
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { departmentsApi } from '../departments/api.ts'
import { rolesApi } from '../roles/api.ts'

interface Mapping {
  group: string
  roleId: number | null
  departmentId: number | null
}
interface Props {
  value: Mapping[]
  onChange: (value: Mapping[]) => void
  error?: string
  /** The stored rows, for the names of roles and departments. */
  known: Provider['mappings']
}

/** What members of a group get. The first row with a role counts, and the first with a department. */
export function MappingsField({ value, onChange, error, known }: Props) {
  const put = (at: number, some: Partial<Mapping>) =>
    onChange(value.map((one, n) => (n === at ? { ...one, ...some } : one)))
  return (
    <Stack gap={10}>
      <div>
        <Text fw={500} fz="sm">
          Groups
        </Text>
        <Text c="dimmed" fz="xs">
          The first row with a role gives the role, the first with a department the department. What somebody gave by
          hand stays.
        </Text>
      </div>
      {value.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and are not reordered
        <Group key={at} gap={8} align="flex-end" wrap="wrap">
          <TextInput
            label="Group"
            style={{ flex: '1 1 160px' }}
            autoComplete="off"
            value={one.group}
            error={error && !one.group.trim() && 'Required'}
            onChange={(event) => put(at, { group: event.currentTarget.value })}
          />
          <div style={{ flex: '1 1 160px' }}>
            <PickOne
              label="Role"
              placeholder="None"
              call={rolesApi.list}
              nameOf={(role) => role.name}
              value={one.roleId}
              valueName={known.find(({ roleId }) => roleId === one.roleId)?.roleName ?? null}
              onChange={(roleId) => put(at, { roleId })}
            />
          </div>
          <div style={{ flex: '1 1 160px' }}>
            <PickOne
              label="Department"
              placeholder="None"
              call={departmentsApi.list}
              nameOf={(department) => department.name}
              value={one.departmentId}
              valueName={known.find(({ departmentId }) => departmentId === one.departmentId)?.departmentName ?? null}
              onChange={(departmentId) => put(at, { departmentId })}
            />
          </div>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Remove the group ${one.group}`}
            onClick={() => onChange(value.filter((_, n) => n !== at))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      {error && (
        <Text c="error" fz="xs" role="alert">
          {error}
        </Text>
      )}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...value, { group: '', roleId: null, departmentId: null }])}
        >
          Add group
        </Button>
      </div>
    </Stack>
  )
}
