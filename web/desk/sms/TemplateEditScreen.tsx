import type { SmsTemplate } from '@innkeeper/contract/desk/sms/calls'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { smsApi } from './api.ts'
import { BodyField } from './BodyField.tsx'

export default function TemplateEditScreen() {
  const { name = '' }: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const query = useQuery(smsApi.template.query({ name }))
  return query.data ? <Form key={name} template={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ template }: { template: SmsTemplate }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/sms/templates' })
  const { name, description, body, version } = useOpened(template)
  const form = useCallForm(smsApi.updateTemplate, {
    initial: { description, body, version },
    fixed: { name },
    labels: { body: 'Text', description: 'Description' },
    onDone: () => {
      void readAgain(['sms'])
      toast.success(`${name} is saved`)
      toList()
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={name}
      left="Messages that were made from it keep their text."
      save="Save template"
      onCancel={toList}
    >
      <TextInput label="Description" autoComplete="off" {...form.text('description')} />
      <BodyField {...form.field('body')} />
    </FormScreen>
  )
}
