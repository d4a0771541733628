import type { Permission } from '@innkeeper/contract/permissions'
import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../kit/api/readAgain.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { FormNotes } from '../kit/form/FormNotes.tsx'
import css from '../kit/form/form.module.css'
import { SaveBar } from '../kit/form/SaveBar.tsx'
import { useCallForm } from '../kit/form/useCallForm.ts'
import { Screen } from '../kit/frame/Screen.tsx'
import { Section } from '../kit/frame/Section.tsx'
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
    <form {...form.form} className={css.form}>
      <Screen scroll={false}>
        <div className={css.body}>
          <RoleForm
            notes={<FormNotes form={form} nothing="Nothing was created." />}
            name={form.text('name')}
            description={form.text('description')}
            department={form.field('departmentId')}
            secondFactor={form.field('requiresSecondFactor')}
            scopes={form.field('scopes')}
            before={[]}
            effect={
              <Section title="What this changes">
                <Text c="dimmed">Nothing yet: a new role is held by nobody. Give it to people under Users.</Text>
              </Section>
            }
          />
        </div>
      </Screen>
      <SaveBar
        left={form.wanting ?? `${form.values.scopes.length} permissions`}
        save="Create role"
        busy={form.busy}
        disabled={!form.valid}
        onCancel={toList}
      />
    </form>
  )
}
