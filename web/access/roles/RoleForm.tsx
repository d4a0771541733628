import type { ScopeLeaf } from '@innkeeper/contract/access/scopes'
import { holds } from '@innkeeper/contract/kit/access'
import type { Permission } from '@innkeeper/contract/permissions/services'
import { Alert, Checkbox, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { departmentsApi } from '../departments/api.ts'
import { scopesApi } from '../scopes/api.ts'
import { Holders } from './Holders.tsx'
import { ScopeTree } from './ScopeTree.tsx'

export const labels = {
  name: 'Name',
  description: 'Description',
  departmentId: 'Department',
  requiresSecondFactor: 'Second factor',
  sessionHours: 'Longest session',
  sessionIdleMinutes: 'Longest idle time',
  scopes: 'Permissions',
}

interface Props {
  name: TextProps
  description: TextProps
  department: FieldProps<number | null>
  departmentName?: string | null
  secondFactor: FieldProps<boolean>
  sessionHours: FieldProps<number | null>
  sessionIdleMinutes: FieldProps<number | null>
  scopes: FieldProps<Permission[]>
  /** The stored permissions. */
  before: readonly string[]
  /** The page around the fields. */
  screen: Omit<ComponentProps<typeof FormScreen>, 'side' | 'width' | 'children'>
  /** The effect of the change, shown beside the tree. */
  effect: ReactNode
}

/** The fields that creating and changing a role share. */
export function RoleForm(props: Props) {
  const { name, description, department, departmentName, secondFactor, scopes, before, screen, effect } = props
  const { sessionHours, sessionIdleMinutes } = props
  const lacking = useReason()
  const me = useSession()
  const [search, setSearch] = useState('')
  const [leaf, setLeaf] = useState<ScopeLeaf>()
  const all = useQuery({ ...scopesApi.list.query(), enabled: !lacking(scopesApi.list) })
  const chosen = new Set<string>(scopes.value)
  return (
    <FormScreen
      {...screen}
      width="100%"
      side={
        <Stack gap={16}>
          {effect}
          {leaf && <Holders scope={leaf.scope} />}
        </Stack>
      }
    >
      <Stack gap={18} maw={640}>
        <TextInput label={labels.name} autoComplete="off" {...name} />
        <Textarea label={labels.description} description="For whom it is meant" autosize minRows={2} {...description} />
        <PickOne
          label={labels.departmentId}
          placeholder="All departments"
          description="Where it is offered first"
          call={departmentsApi.list}
          nameOf={(one) => one.name}
          hint={(one) => one.description}
          valueName={departmentName}
          reason={lacking(departmentsApi.list)}
          {...department}
        />
        <Checkbox
          label="Requires a second factor"
          description="People with this role have to set one up before anything else; whoever has none is asked at once"
          checked={secondFactor.value}
          onChange={(event) => secondFactor.onChange(event.currentTarget.checked)}
          onBlur={secondFactor.onBlur}
        />
        <Group grow gap={14} align="flex-start">
          <LimitField
            label={labels.sessionHours}
            description="Hours after a sign-in; empty: 12"
            max={12}
            field={sessionHours}
          />
          <LimitField
            label={labels.sessionIdleMinutes}
            description="Minutes without a call; a screen that reads by itself counts as one. Empty: no limit"
            min={5}
            max={720}
            field={sessionIdleMinutes}
          />
        </Group>
      </Stack>
      <Group justify="space-between" align="flex-end" gap={12}>
        <Text fw={500}>
          {labels.scopes}{' '}
          <Text span c="dimmed" className="num" fw={400}>
            {chosen.size} of {all.data?.total ?? '…'}
          </Text>
        </Text>
        <TextInput
          type="search"
          aria-label="Find a permission"
          placeholder="Find a permission"
          leftSection={<IconSearch size={15} />}
          w={260}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </Group>
      {scopes.error && (
        <Alert color="error" p="10px 14px" role="alert">
          {scopes.error}
        </Alert>
      )}
      {all.error && <Text c="error">{all.error.message}</Text>}
      {all.isPending && <Skeleton h={320} />}
      {all.data && (
        <ScopeTree
          tree={all.data.tree}
          search={search}
          chosen={chosen}
          before={new Set(before)}
          // every scope of the tree is in the catalogue
          choose={(next) => scopes.onChange([...next].sort() as Permission[])}
          mayGive={(scope) => before.includes(scope) || holds(me, scope)}
          rest={setLeaf}
        />
      )}
    </FormScreen>
  )
}

interface LimitProps {
  label: string
  description: string
  min?: number
  max: number
  field: FieldProps<number | null>
}

const LimitField = ({ label, description, min = 1, max, field }: LimitProps) => (
  <NumberField
    label={label}
    description={description}
    min={min}
    max={max}
    allowDecimal={false}
    value={field.value ?? ''}
    onChange={(value) => field.onChange(typeof value === 'number' ? value : null)}
    onBlur={field.onBlur}
    error={field.error}
  />
)
