import type { DatabaseAccount } from '@innkeeper/contract/hosting/databases/calls'
import { type DatabasePrivilege, databasePrivilege, postgresqlPrivileges } from '@innkeeper/contract/kit/values'
import { Checkbox, Group, Input, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { databasesApi } from '../api.ts'
import type { Engine } from '../EngineField.tsx'
import { engineWords } from '../words.ts'

export interface ChosenGrant {
  id: number
  privileges: DatabaseAccount['databases'][number]['privileges']
  chosen: DatabasePrivilege[]
}
interface Props {
  websiteId: number | undefined
  engine: Engine
  value: ChosenGrant[]
  onChange: (grants: ChosenGrant[]) => void
  error?: string | undefined
}

const kinds = [
  { value: 'all', label: 'All privileges' },
  { value: 'read', label: 'Reads only' },
  { value: 'custom', label: 'Chosen privileges' },
]

/** Databases of the website with the privileges of an account on each. */
export function GrantsField({ websiteId, engine, value, onChange, error }: Props) {
  const { data, error: failed } = useQuery({
    ...databasesApi.list.query({
      ...{ websiteIds: websiteId === undefined ? [] : [String(websiteId)], engine: [engine], itemsPerPage: 200 },
    }),
    enabled: websiteId !== undefined,
  })
  const change = (id: number, next: Partial<ChosenGrant>) =>
    onChange(value.map((one) => (one.id === id ? { ...one, ...next } : one)))
  const items = data?.items ?? []
  return (
    <Input.Wrapper label="Databases" description="Databases of its website, with its privileges on each" error={error}>
      <Stack gap={10} mt={8}>
        {items.length === 0 && (
          <Text c="dimmed">
            {websiteId === undefined
              ? 'Choose the website first.'
              : (failed?.message ?? (data ? `The website has no ${engineWords[engine]} database.` : <Reading />))}
          </Text>
        )}
        {items.map(({ id, name }) => {
          const grant = value.find((one) => one.id === id)
          return (
            <Stack key={id} gap={8}>
              <Group gap={12} justify="space-between">
                <Checkbox
                  label={name}
                  styles={{ label: { fontFamily: 'var(--mantine-font-family-monospace)', overflowWrap: 'anywhere' } }}
                  checked={grant !== undefined}
                  onChange={({ currentTarget }) =>
                    onChange(
                      currentTarget.checked
                        ? [...value, { id, privileges: 'all', chosen: [] }]
                        : value.filter((one) => one.id !== id),
                    )
                  }
                />
                {grant && (
                  <Select
                    aria-label={`Privileges on ${name}`}
                    w={190}
                    allowDeselect={false}
                    data={kinds}
                    value={grant.privileges}
                    // the options are the values of the contract
                    onChange={(kind) => change(id, { privileges: (kind ?? 'all') as ChosenGrant['privileges'] })}
                  />
                )}
              </Group>
              {grant?.privileges === 'custom' && (
                <MultiSelectField
                  aria-label={`Chosen privileges on ${name}`}
                  placeholder={grant.chosen.length ? undefined : 'Choose at least one'}
                  searchable
                  data={engine === 'postgresql' ? postgresqlPrivileges : databasePrivilege.options}
                  value={grant.chosen}
                  onChange={(chosen) => change(id, { chosen: chosen as DatabasePrivilege[] })}
                />
              )}
            </Stack>
          )
        })}
      </Stack>
    </Input.Wrapper>
  )
}
