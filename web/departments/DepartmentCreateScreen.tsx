import { Stack, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../kit/api/readAgain.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { FormNotes } from '../kit/form/FormNotes.tsx'
import css from '../kit/form/form.module.css'
import { SaveBar } from '../kit/form/SaveBar.tsx'
import { useCallForm } from '../kit/form/useCallForm.ts'
import { Screen } from '../kit/frame/Screen.tsx'
import { departmentsApi } from './api.ts'

export default function DepartmentCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/departments' })
  const form = useCallForm(departmentsApi.create, {
    initial: { name: '', description: '' },
    labels: { name: 'Name', description: 'Description' },
    onDone: ({ id, name }) => {
      void readAgain(['departments'])
      toast.success(`${name} is created`, 'Add its people here.')
      void navigate({ to: '/departments/edit/$departmentId', params: { departmentId: String(id) } })
    },
  })
  return (
    <form {...form.form} className={css.form}>
      <Screen scroll={false}>
        <div className={css.body}>
          <Stack gap={18} maw={640}>
            <FormNotes form={form} nothing="Nothing was created." />
            <TextInput label="Name" autoFocus autoComplete="off" {...form.text('name')} />
            <Textarea label="Description" autosize minRows={2} {...form.text('description')} />
          </Stack>
        </div>
      </Screen>
      <SaveBar
        left={form.wanting ?? 'Its people are added next.'}
        save="Create department"
        busy={form.busy}
        disabled={!form.valid}
        onCancel={toList}
      />
    </form>
  )
}
