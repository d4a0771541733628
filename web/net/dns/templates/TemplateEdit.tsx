import type { Template } from '@innkeeper/contract/net/dns/calls'
import { Alert, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Bound } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { dnsApi } from '../api.ts'
import { readLines, refusals, written } from './templateLines.ts'

interface Props {
  template?: Template
  close: () => void
}

export default function TemplateEdit({ template, close }: Props) {
  return template ? <Changed template={template} close={close} /> : <Added close={close} />
}

const Added = ({ close }: { close: () => void }) => (
  <Form call={dnsApi.addTemplate} title="New template" before={{ name: '', records: [] }} close={close} />
)

function Changed({ template, close }: Required<Props>) {
  const { id, version, name, records } = useOpened(template)
  return (
    <Form
      call={dnsApi.updateTemplate as unknown as typeof dnsApi.addTemplate}
      title="Template"
      before={{ name, records }}
      fixed={{ id, version }}
      close={close}
    />
  )
}

interface FormProps {
  call: Bound<(typeof dnsApi.addTemplate)['endpoint']>
  title: string
  before: Pick<Template, 'name' | 'records'>
  /** Of a stored template. */
  fixed?: { id: number; version: number }
  close: () => void
}

/** A template as lines of a zone file. */
function Form({ call, title, before, fixed, close }: FormProps) {
  const [text, setText] = useState(() => written(before.records))
  const form = useCallForm(call, {
    initial: before,
    ...(fixed && { fixed: fixed as object }),
    labels: { name: 'Name', records: 'Records' },
    onMerged: ({ records }) => setText(written(records)),
    onDone: ({ name }) => {
      void readAgain(['dns'])
      toast.success(`${name} is saved`, 'Existing zones stay unchanged.')
      close()
    },
  })
  const read = readLines(text)
  const unread = 'problems' in read ? read.problems : []
  const refused = refusals(text, form.refused)
  const type = (next: string) => {
    setText(next)
    const lines = readLines(next)
    // lines that cannot be read yet keep the form unsaved, and are named below
    form.set('records', 'records' in lines ? lines.records : [])
  }
  const problems = text.trim() ? [...unread, ...refused] : []
  return (
    <FormModal
      opened
      close={close}
      title={title}
      save="Save template"
      form={{ ...form, valid: form.valid && unread.length === 0 }}
      nothing="Nothing was saved."
      size={680}
    >
      <TextInput {...form.text('name')} label="Name" withAsterisk data-autofocus autoComplete="off" />
      <Textarea
        label="Records"
        description="One a line: name, TTL, type, content. {domain} and {address} are filled in when a zone is added."
        placeholder={'@ 3600 A {address}\nwww 3600 CNAME {domain}.\n@ 3600 MX 10 mail.{domain}.'}
        autosize
        minRows={8}
        maxRows={18}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', whiteSpace: 'pre' } }}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        error={problems.length > 0}
      />
      {problems.length > 0 && (
        <Alert role="alert" color="error" p="10px 14px" style={{ whiteSpace: 'pre-wrap' }}>
          {problems.join('\n')}
        </Alert>
      )}
    </FormModal>
  )
}
