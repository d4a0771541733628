import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ServerField } from '../../machines/servers/choice/ServerField.tsx'
import { OwnerField } from '../owners/OwnerField.tsx'
import { PlanTable } from '../plans/PlanTable.tsx'
import { systemUsersApi } from './api.ts'

interface Wanted {
  username: string
  ownerId: number | undefined
  originServer: number | undefined
  planId: number | undefined
}
const empty: Wanted = { username: '', ownerId: undefined, originServer: undefined, planId: undefined }
const labels = { username: 'User name', ownerId: 'Owner', originServer: 'Server', planId: 'Plan' }
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export default function SystemUserCreateScreen() {
  const navigate = useNavigate()
  const form = useCallForm(systemUsersApi.create, {
    initial: empty,
    labels,
    onDone: ({ data }) => {
      void readAgain(['systemUsers', 'workflows'])
      void navigate({ to: '/system-users/edit/$id', params: { id: String(data.id) } })
    },
  })
  const { required: _, ...owner } = form.field('ownerId')
  const { required: __, ...server } = form.field('originServer')
  const plan = form.field('planId')
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="The account is made on its server at once, with the limits of its plan."
      save="Create system user"
      onCancel={() => void navigate({ to: '/system-users/list' })}
    >
      <TextInput
        label="User name"
        description="Lower-case letters, digits and _, a letter first; free on its server"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={mono}
        {...form.text('username')}
      />
      <OwnerField {...owner} />
      <ServerField {...server} />
      <PlanTable
        value={plan.value === undefined ? '' : String(plan.value)}
        onChange={(id) => plan.onChange(Number(id))}
        error={plan.error}
      />
    </FormScreen>
  )
}
