import { LONGEST_DAYS, USUAL_DAYS, USUAL_RATE } from '@innkeeper/contract/access/apiTokens'
import { holds } from '@innkeeper/contract/kit/access'
import { type Permission, permissions } from '@innkeeper/contract/permissions/services'
import { Button, Group, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { SecretOnce } from '../../kit/dialogs/SecretOnce.tsx'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { TagsInputField } from '../../kit/form/TagsInputField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { departmentsApi } from '../departments/api.ts'
import { serviceAccountsApi } from '../serviceAccounts/api.ts'
import { apiTokensApi } from './api.ts'

export default function ApiTokenCreateScreen() {
  const navigate = useNavigate()
  const me = useSession()
  const lacking = useReason()
  const { account } = useSearch({ strict: false }) as { account?: string | number }
  const [value, setValue] = useState<string>()
  const toList = () => void navigate({ to: '/tokens' })
  const form = useCallForm(apiTokensApi.create, {
    initial: {
      name: '',
      serviceAccountId: account === undefined ? (undefined as number | undefined) : Number(account),
      scopes: [] as Permission[],
      departmentId: null as number | null,
      networks: [] as string[],
      days: USUAL_DAYS as number | string,
      perMinute: USUAL_RATE as number | string,
    },
    labels: {
      name: 'Name',
      scopes: 'Permissions',
      networks: 'Networks',
      days: 'Valid for days',
      perMinute: 'Calls per minute',
    },
    onDone: (made) => {
      void readAgain(['apiTokens'])
      setValue(made.value)
    },
  })
  // keys of our own constant
  const mine = (Object.keys(permissions) as Permission[]).filter((scope) => holds(me, scope))
  const scopes = form.field('scopes')
  const choose = (wanted: readonly Permission[]) => scopes.onChange([...new Set([...scopes.value, ...wanted])])
  return (
    <FormScreen
      form={form}
      nothing="Nothing was made."
      left={`${scopes.value.length} permissions; the value is shown once.`}
      save="Make API token"
      onCancel={toList}
    >
      <TextInput label="Name" description="Which program uses it" autoFocus autoComplete="off" {...form.text('name')} />
      <PickOne
        label="Acts as"
        placeholder="Yourself"
        description="A service account stays when people leave"
        call={serviceAccountsApi.list}
        nameOf={(one) => one.name}
        hint={(one) => one.roleName}
        valueName={account === undefined ? undefined : 'The chosen service account'}
        reason={lacking(serviceAccountsApi.list)}
        {...form.field('serviceAccountId')}
        value={form.values.serviceAccountId ?? null}
        onChange={(id) => form.set('serviceAccountId', id ?? undefined)}
      />
      <MultiSelectField
        label="Permissions"
        description="The token never has more than whoever it acts as"
        searchable
        data={mine.map((scope) => ({ value: scope, label: permissions[scope] }))}
        {...scopes}
        onChange={(chosen) => scopes.onChange(chosen as Permission[])} // only values of `mine` can be chosen
      />
      <Group gap={8}>
        <Button size="xs" variant="default" onClick={() => choose(mine.filter((scope) => scope.endsWith(':read')))}>
          Add all that only read
        </Button>
        <Button size="xs" variant="default" onClick={() => scopes.onChange([])}>
          None
        </Button>
      </Group>
      <PickOne
        label="Department"
        placeholder="That of its owner"
        description="The token works for this department only, as long as its owner belongs to it"
        call={departmentsApi.list}
        nameOf={(one) => one.name}
        hint={(one) => one.description}
        reason={lacking(departmentsApi.list)}
        {...form.field('departmentId')}
      />
      <TagsInputField
        label="Networks"
        description="Addresses and networks from which it is accepted, such as 192.0.2.1 or 10.0.0.0/8; none: all"
        {...form.field('networks')}
      />
      <NumberField label="Valid for days" min={1} max={LONGEST_DAYS} {...form.field('days')} />
      <NumberField label="Calls per minute" min={1} max={6000} {...form.field('perMinute')} />
      {value && (
        <SecretOnce
          title={`The token ${form.values.name}`}
          text="Programs send it as Authorization: Bearer, or in INNKEEPER_TOKEN."
          label="token"
          secret={value}
          close={toList}
        />
      )}
    </FormScreen>
  )
}
