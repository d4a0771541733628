import { Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
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
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Members are added next."
      save="Create department"
      onCancel={toList}
    >
      <TextInput label="Name" autoFocus autoComplete="off" {...form.text('name')} />
      <Textarea label="Description" autosize minRows={2} {...form.text('description')} />
    </FormScreen>
  )
}
