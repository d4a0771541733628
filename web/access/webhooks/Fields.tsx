import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { TagsInputField } from '../../kit/form/TagsInputField.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { departmentsApi } from '../departments/api.ts'
import { serviceAccountsApi } from '../serviceAccounts/api.ts'
import { webhooksApi } from './api.ts'

export const labels = {
  name: 'Name',
  url: 'Address',
  domains: 'Kinds',
  objects: 'Objects',
  departments: 'Departments',
  ownerId: 'Owner',
}

interface Props {
  name: TextProps
  url: TextProps
  domains: FieldProps<string[]>
  objects: FieldProps<number[]>
  departments: FieldProps<number[]>
  owner: FieldProps<number | undefined>
  ownerName?: string
}

/** The fields that creating and changing a webhook share. */
export function Fields({ name, url, domains, objects, departments, owner, ownerName }: Props) {
  const lacking = useReason()
  const kinds = useQuery({ ...webhooksApi.kinds.query(), enabled: !lacking(webhooksApi.kinds) })
  const noDepartments = lacking(departmentsApi.list)
  const places = useQuery({ ...departmentsApi.list.query({ itemsPerPage: 200 }), enabled: !noDepartments })
  const belong = (kinds.data?.items ?? []).filter(({ hasDepartments }) => hasDepartments).map((kind) => kind.name)
  const [only, ...others] = domains.value
  const hasOne = only !== undefined && !others.length
  const allBelong = hasOne || others.length > 0 ? domains.value.every((one) => belong.includes(one)) : false
  return (
    <>
      <TextInput label={labels.name} autoComplete="off" {...name} />
      <TextInput
        label={labels.url}
        description="A public address. Redirects are not followed."
        placeholder="https://ci.example/hook"
        autoComplete="off"
        {...url}
      />
      <MultiSelectField
        label={labels.domains}
        description="Kinds of objects whose changes are sent; none: all that the owner may read"
        searchable
        data={(kinds.data?.items ?? []).map((kind) => ({
          value: kind.name,
          label: kind.name,
          disabled: !kind.mayRead,
        }))}
        {...domains}
      />
      {(hasOne || objects.value.length > 0) && (
        <TagsInputField
          label={labels.objects}
          description={`Ids of the objects of the kind ${only}; none: all`}
          {...objects}
          value={objects.value.map(String)}
          onChange={(ids) => objects.onChange(ids.map(Number).filter((id) => Number.isInteger(id) && id > 0))}
        />
      )}
      {(allBelong || departments.value.length > 0) && (
        <MultiSelectField
          label={labels.departments}
          description={noDepartments ?? 'Only objects of these departments; none: all'}
          disabled={noDepartments !== undefined}
          searchable
          data={(places.data?.items ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
          {...departments}
          value={departments.value.map(String)}
          onChange={(ids) => departments.onChange(ids.map(Number))}
        />
      )}
      <PickOne
        label={labels.ownerId}
        placeholder="Yourself"
        description="Whose rights decide what is sent. A service account stays when people leave."
        call={serviceAccountsApi.list}
        nameOf={(one) => one.name}
        hint={(one) => one.roleName}
        valueName={ownerName}
        reason={lacking(serviceAccountsApi.list)}
        {...owner}
        value={owner.value ?? null}
        onChange={(id) => owner.onChange(id ?? undefined)}
      />
    </>
  )
}
