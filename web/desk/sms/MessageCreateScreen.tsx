import type { SmsTemplate } from '@innkeeper/contract/desk/sms/calls'
import { Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { newId } from '../../kit/api/newId.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { MessageField } from '../../kit/form/MessageField.tsx'
import { MomentField } from '../../kit/form/MomentField.tsx'
import { type Recipient, RecipientPicker } from '../../kit/form/RecipientPicker.tsx'
import { TagsInputField } from '../../kit/form/TagsInputField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { moment } from '../../kit/look/format.ts'
import { smsApi } from './api.ts'
import { DryRun } from './DryRun.tsx'
import { ofPeople, unfilled } from './examples.ts'

const ofKind = (chosen: readonly Recipient[], kind: Recipient['kind']) =>
  chosen.flatMap((one) => (one.kind === kind ? [one.id] : []))

export default function MessageCreateScreen() {
  const navigate = useNavigate()
  const lacking = useReason()
  const asked = useSearch({ strict: false })
  const toList = () => void navigate({ to: '/sms/messages' })
  const [chosen, setChosen] = useState<readonly Recipient[]>([])
  const [requestKey] = useState(newId)
  const templates = useQuery({ ...smsApi.templates.query({ itemsPerPage: 200 }), enabled: !lacking(smsApi.templates) })
  const form = useCallForm(smsApi.send, {
    initial: {
      ...{ to: [] as string[], body: '', templateName: typeof asked.template === 'string' ? asked.template : '' },
      ...{ values: {} as Record<string, string>, sendAt: '', urgent: false },
    },
    fixed: {
      requestKey,
      users: ofKind(chosen, 'person'),
      departments: ofKind(chosen, 'department'),
      shifts: ofKind(chosen, 'shift'),
    },
    labels: { to: 'Numbers', body: 'Text', templateName: 'Template' },
    onDone: ({ sendAt }) => {
      void readAgain(['sms'])
      if (sendAt)
        toast.success(`The message goes out on ${moment(sendAt)}`, 'It can be cancelled until then, in Sends.')
      else toast.success('The message is on its way', 'The list shows its delivery.')
      toList()
    },
  })
  const { values } = form
  const template = templates.data?.items.find(({ name }) => name === values.templateName)
  return (
    <FormScreen
      form={form}
      nothing="Nothing was sent."
      side={<DryRun values={values} chosen={chosen} />}
      left="A message cannot be called back once the gateway has it."
      save={values.sendAt ? 'Schedule message' : 'Send message'}
      disabled={!values.to.length && !chosen.length}
      onCancel={toList}
    >
      <RecipientPicker
        label="People, departments or shifts"
        placeholder="Name, department or on shift"
        value={chosen}
        onChange={setChosen}
        search={async (search) => (await smsApi.recipients({ search })).items}
        searchKey={['sms', 'recipients']}
      />
      <TagsInputField
        label="Numbers"
        description="With country code; Enter after each"
        placeholder={values.to.length ? '' : '+47 22 00 00 00'}
        splitChars={[',', ';', '\n']}
        {...form.field('to')}
      />
      <Select
        label="Template"
        placeholder="None: a text of its own"
        clearable
        searchable
        data={(templates.data?.items ?? []).map(({ name }) => name)}
        value={values.templateName || null}
        onChange={(next) => form.setValues((now) => ({ ...now, templateName: next ?? '', body: '', values: {} }))}
        error={form.refused.templateName}
      />
      {template ? (
        <TemplateValues
          template={template}
          values={values.values}
          onChange={(next) => form.set('values', next)}
          refused={form.refused}
        />
      ) : (
        <MessageField label="Text" counts placeholders={ofPeople} {...form.field('body')} />
      )}
      <MomentField label="Send at" description="Empty: at once" {...form.field('sendAt')} />
      <Switch
        label="Urgent: goes out in quiet hours too"
        checked={values.urgent}
        onChange={(event) => form.set('urgent', event.currentTarget.checked)}
      />
    </FormScreen>
  )
}

interface Filled {
  template: SmsTemplate
  values: Record<string, string>
  onChange: (values: Record<string, string>) => void
  refused: Record<string, string>
}

/** The text of the template as it reads, and a field for each placeholder. */
function TemplateValues({ template: { body, placeholders }, values, onChange, refused }: Filled) {
  const known = [...ofPeople, ...placeholders.map((name) => ({ name, example: values[name] || unfilled(name) }))]
  return (
    <>
      {placeholders.map((name) => (
        <TextInput
          key={name}
          label={name}
          required
          maxLength={300}
          value={values[name] ?? ''}
          onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
          error={refused[`values.${name}`]}
        />
      ))}
      <MessageField label="Text" readOnly counts placeholders={known} value={body} onChange={() => undefined} />
    </>
  )
}
