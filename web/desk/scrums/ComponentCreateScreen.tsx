import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { scrumsApi } from './api.ts'
import { ComponentFields } from './ComponentFields.tsx'

export default function ComponentCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/scrums/components' })
  const form = useCallForm(scrumsApi.createComponent, {
    initial: { name: '', description: '', weight: 10, status: 'active' as 'active' | 'inactive' },
    labels: { name: 'Name', weight: 'Weight' },
    onDone: ({ name }) => {
      void readAgain(['scrums'])
      toast.success(`${name} is created`)
      toList()
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="New audits score it."
      save="Create component"
      onCancel={toList}
    >
      <ComponentFields
        name={form.text('name')}
        description={form.text('description')}
        weight={form.field('weight')}
        status={form.field('status')}
      />
    </FormScreen>
  )
}
