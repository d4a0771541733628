import type { Permission } from '@innkeeper/contract/permissions/services'
import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { rolesApi } from './api.ts'
import { labels, RoleForm } from './RoleForm.tsx'

export default function RoleCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/roles' })
  const form = useCallForm(rolesApi.create, {
    initial: {
      name: '',
      description: '',
      departmentId: null as number | null,
      requiresSecondFactor: false,
      sessionHours: null as number | null,
      sessionIdleMinutes: null as number | null,
      scopes: [] as Permission[],
    },
    labels,
    onDone: (role) => {
      void readAgain(['roles'])
      toast.success(`${role.name} is created`, 'Nobody holds it yet.')
      toList()
    },
  })
  return (
    <RoleForm
      screen={{
        form,
        nothing: 'Nothing was created.',
        left: `${form.values.scopes.length} permissions`,
        save: 'Create role',
        onCancel: toList,
      }}
      name={form.text('name')}
      description={form.text('description')}
      department={form.field('departmentId')}
      secondFactor={form.field('requiresSecondFactor')}
      sessionHours={form.field('sessionHours')}
      sessionIdleMinutes={form.field('sessionIdleMinutes')}
      scopes={form.field('scopes')}
      before={[]}
      effect={
        <Section title="What this changes">
          <Text c="dimmed">No effect yet: nobody has a new role. Give it to people under Users.</Text>
        </Section>
      }
    />
  )
}
