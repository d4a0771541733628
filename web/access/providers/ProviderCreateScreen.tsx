import { PasswordInput, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { providersApi } from './api.ts'

export default function ProviderCreateScreen() {
  const navigate = useNavigate()
  const form = useCallForm(providersApi.create, {
    initial: { name: '', issuer: '', clientId: '', secret: '', isEnabled: false },
    labels: { name: 'Name', issuer: 'Issuer', clientId: 'Client ID', secret: 'Client secret' },
    onDone: ({ id, name }) => {
      void readAgain(['providers'])
      toast.success(`${name} is added`, 'Enter the addresses of its page at the provider, then switch it on.')
      void navigate({ to: '/sign-in/$providerId', params: { providerId: String(id) } })
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was added."
      left="It is off until you switch it on."
      save="Add provider"
      onCancel={() => void navigate({ to: '/sign-in' })}
    >
      <TextInput
        label="Name"
        description="The button on the sign-in page says: Sign in with …"
        autoFocus
        autoComplete="off"
        {...form.text('name')}
      />
      <TextInput
        label="Issuer"
        description="The address under which the provider publishes /.well-known/openid-configuration"
        placeholder="https://login.example.org"
        autoComplete="off"
        {...form.text('issuer')}
      />
      <TextInput label="Client ID" autoComplete="off" {...form.text('clientId')} />
      <PasswordInput
        label="Client secret"
        description="Stored encrypted, and never shown again"
        autoComplete="new-password"
        {...form.text('secret')}
      />
    </FormScreen>
  )
}
