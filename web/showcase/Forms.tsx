import { views } from '@innkeeper/contract/access/views'
import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError, bind } from '../kit/api/client.ts'
import { confirm, confirmByName, errorDialog, infoDialog, successDialog } from '../kit/dialogs/dialogs.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useCallForm } from '../kit/form/useCallForm.ts'
import { Wizard } from '../kit/form/Wizard.tsx'
import { Section } from '../kit/frame/Section.tsx'

/** The form's call. Its answers are made up here, and nothing is sent. */
const real = bind('views', views).save
const save = (answer: () => Promise<never>) =>
  Object.assign(answer, { query: real.query, key: real.key, endpoint: real.endpoint })

const refused = save(async () => {
  throw new ApiError(422, {
    code: 'refused',
    message: 'The name is taken',
    fields: { name: 'Somebody else uses this name' },
  })
})
const stale = save(async () => {
  throw new ApiError(409, {
    code: 'conflict',
    message: 'Changed meanwhile',
    current: { name: 'What they saved', version: 2 },
  })
})

/** A form refused beside a field, and one that somebody else has saved first. */
export function Forms() {
  const [shown, setShown] = useState<'refused' | 'stale'>()
  return (
    <Section title="FormModal">
      <Group gap={8}>
        <Button variant="default" onClick={() => setShown('refused')}>
          Refused
        </Button>
        <Button variant="default" onClick={() => setShown('stale')}>
          Saved by somebody else
        </Button>
      </Group>
      {shown && (
        <NameModal key={shown} call={shown === 'refused' ? refused : stale} close={() => setShown(undefined)} />
      )}
    </Section>
  )
}

function NameModal({ call, close }: { call: typeof refused; close: () => void }) {
  const form = useCallForm(call, {
    initial: { name: '' },
    fixed: { list: 'kit', filters: {} },
    labels: { name: 'Name' },
    onDone: close,
  })
  return (
    <FormModal opened close={close} title="Name it" save="Save name" nothing="Nothing was saved." form={form}>
      <TextInput label="Name" {...form.text('name')} />
    </FormModal>
  )
}

/** A wizard of three steps. */
export function Wizards() {
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const finish = () => {
    setBusy(true)
    setTimeout(() => {
      setBusy(false)
      toast.success('Finished', name)
    }, 800)
  }
  return (
    <Section title="Wizard">
      <Wizard
        busy={busy}
        onFinish={finish}
        steps={[
          {
            title: 'Name',
            done: name.trim() !== '',
            wanting: 'Still needed: name',
            content: (
              <TextInput maw={360} label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />
            ),
          },
          { title: 'Look', done: true, content: 'Nothing is asked here.' },
          { title: 'Review', done: true, content: `It will be called ${name}.` },
        ]}
      />
    </Section>
  )
}

export const Notices = () => (
  <Section title="Dialogs and toasts">
    <Group gap={8}>
      {(['success', 'info', 'warning', 'error'] as const).map((kind) => (
        <Button key={kind} variant="default" onClick={() => toast[kind](`A ${kind}`, 'With what follows from it.')}>
          Toast {kind}
        </Button>
      ))}
      <Button variant="default" onClick={() => void successDialog('It is done.')}>
        Success
      </Button>
      <Button variant="default" onClick={() => void infoDialog('So that you know.')}>
        Info
      </Button>
      <Button variant="default" onClick={() => void errorDialog(new Error('One line.\nAnd another.'))}>
        Error
      </Button>
      <Button
        variant="default"
        onClick={() => void confirm({ title: 'Skip it?', verb: 'Skip', reason: { label: 'Reason', required: true } })}
      >
        Confirm
      </Button>
      <Button
        variant="default"
        onClick={() =>
          void confirmByName({
            title: 'Delete a.example?',
            name: 'a.example',
            goes: ['All of it'],
            verb: 'Delete website',
          })
        }
      >
        Confirm by name
      </Button>
    </Group>
  </Section>
)
