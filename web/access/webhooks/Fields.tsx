import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { serviceAccountsApi } from '../serviceAccounts/api.ts'
import { webhooksApi } from './api.ts'

export const labels = { name: 'Name', url: 'Address', domains: 'Kinds', ownerId: 'Owner' }

interface Props {
  name: TextProps
  url: TextProps
  domains: FieldProps<string[]>
  owner: FieldProps<number | undefined>
  ownerName?: string
}

/** The fields that creating and changing a webhook share. */
export function Fields({ name, url, domains, owner, ownerName }: Props) {
  const lacking = useReason()
  const kinds = useQuery({ ...webhooksApi.kinds.query(), enabled: !lacking(webhooksApi.kinds) })
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
