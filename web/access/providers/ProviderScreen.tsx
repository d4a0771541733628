import type { Provider } from '@innkeeper/contract/access/providers'
import { Checkbox, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { counted } from '../../kit/look/format.ts'
import { usersApi } from '../users/api.ts'
import { providersApi } from './api.ts'
import { MappingsField } from './MappingsField.tsx'
import { ProviderSide } from './ProviderSide.tsx'
import { leaversWords, makesAccountsWords } from './words.ts'

export default numbered('providerId', ProviderScreen)

function ProviderScreen({ id }: { id: number }) {
  const query = useQuery(providersApi.one.query({ id }))
  return query.data ? <Form provider={query.data} /> : <Screen query={query}>{null}</Screen>
}

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))

function Form({ provider }: { provider: Provider }) {
  const navigate = useNavigate()
  const lacking = useReason()
  const opened = useOpened(provider)
  const { id, version, name, issuer, clientId, scopes, groupsClaim, isEnabled, makesAccounts, linksByEmail } = opened
  const form = useCallForm(providersApi.update, {
    initial: {
      ...{ name, issuer, clientId, secret: '', scopes, groupsClaim, isEnabled, makesAccounts, linksByEmail, version },
      ...{ leavers: opened.leavers, heirId: opened.heirId },
      mappings: opened.mappings.map(({ group, roleId, departmentId }) => ({ group, roleId, departmentId })),
    },
    fixed: { id },
    labels: {
      ...{ name: 'Name', issuer: 'Issuer', clientId: 'Client ID', secret: 'Client secret', scopes: 'Scopes' },
      ...{ groupsClaim: 'Claim of groups', isEnabled: 'State', makesAccounts: 'New accounts', heirId: 'Heir' },
      ...{ linksByEmail: 'Known accounts', leavers: 'Leavers', mappings: 'Groups' },
    },
    onDone: (saved) => {
      void readAgain(['providers'])
      toast.success(`${saved.name} is saved`)
      void navigate({ to: '/sign-in' })
    },
  })
  const check = (key: 'isEnabled' | 'linksByEmail') => {
    const { value, onChange, error } = form.field(key)
    return {
      checked: value,
      error,
      onChange: (event: { currentTarget: { checked: boolean } }) => onChange(event.currentTarget.checked),
    }
  }
  const makes = form.field('makesAccounts')
  const leavers = form.field('leavers')
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={provider.name}
      meta={counted(provider.people, ['person', 'people'])}
      side={<ProviderSide provider={provider} />}
      reason={lacking(providersApi.update)}
      save="Save provider"
      onCancel={() => void navigate({ to: '/sign-in' })}
    >
      <Checkbox label="On" description="The sign-in page shows its button" {...check('isEnabled')} />
      <TextInput label="Name" autoComplete="off" {...form.text('name')} />
      <TextInput
        label="Issuer"
        description="Another issuer means other people: everybody is recognised anew"
        autoComplete="off"
        {...form.text('issuer')}
      />
      <TextInput label="Client ID" autoComplete="off" {...form.text('clientId')} />
      <PasswordInput
        label="Client secret"
        description={provider.hasSecret ? 'One is stored. Leave the field empty to keep it.' : 'None is stored'}
        autoComplete="new-password"
        {...form.text('secret')}
      />
      <TextInput label="Scopes" autoComplete="off" {...form.text('scopes')} />
      <TextInput
        label="Claim of groups"
        description="The claim of the identity token that lists the groups of a person"
        autoComplete="off"
        {...form.text('groupsClaim')}
      />
      <MappingsField {...form.field('mappings')} known={provider.mappings} />
      <Stack gap={18}>
        <Select
          label="Whose first sign-in makes an account"
          data={optionsOf(makesAccountsWords)}
          allowDeselect={false}
          {...makes}
          onChange={(value) => makes.onChange((value ?? 'nobody') as Provider['makesAccounts'])} // a value of `data`
        />
        <Checkbox
          label="Link known accounts by e-mail address"
          description="A first sign-in with a verified address opens the account that has it. Whoever rules the provider can then sign in as these people."
          {...check('linksByEmail')}
        />
        <Select
          label="What becomes of leavers"
          data={optionsOf(leaversWords)}
          allowDeselect={false}
          {...leavers}
          onChange={(value) => leavers.onChange((value ?? 'suspend') as Provider['leavers'])} // a value of `data`
        />
        <PickOne
          label="Who gets the records of deleted people"
          placeholder="Nobody"
          call={usersApi.list}
          nameOf={(one) => one.name}
          hint={(one) => one.username}
          valueName={provider.heirName}
          reason={lacking(usersApi.list)}
          {...form.field('heirId')}
        />
      </Stack>
    </FormScreen>
  )
}
