import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { smsApi } from './api.ts'
import { BodyField } from './BodyField.tsx'

export default function TemplateCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/sms/templates' })
  const form = useCallForm(smsApi.createTemplate, {
    initial: { name: '', description: '', body: '' },
    labels: { name: 'Name', body: 'Text', description: 'Description' },
    onDone: ({ name }) => {
      void readAgain(['sms'])
      toast.success(`${name} is created`)
      toList()
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Nothing is sent."
      save="Create template"
      onCancel={toList}
    >
      <TextInput
        label="Name"
        description="Programs address the template by it"
        placeholder="Such as outage"
        autoFocus
        autoComplete="off"
        {...form.text('name')}
      />
      <TextInput label="Description" autoComplete="off" {...form.text('description')} />
      <BodyField {...form.field('body')} />
    </FormScreen>
  )
}
