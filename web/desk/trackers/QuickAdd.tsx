import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { missing } from '@innkeeper/contract/kit/access'
import { Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { creators, hintOf } from './api.ts'
import type { Form } from './ItemFields.tsx'
import { words } from './trackerInfo.ts'

const trackers: Tracker[] = ['bug', 'feature', 'ticket']

/** A short form for a bug, a feature request or a ticket, from every page (key C). */
export default function QuickAdd({ close }: { close: () => void }) {
  const user = useSession()
  const allowed = trackers.filter((tracker) => missing(user, creators[tracker].endpoint.access).length === 0)
  const [tracker, setTracker] = useState(allowed[0])
  if (!tracker) return null
  return <Add key={tracker} tracker={tracker} allowed={allowed} setTracker={setTracker} close={close} />
}

interface Props {
  tracker: Tracker
  allowed: readonly Tracker[]
  setTracker: (tracker: Tracker) => void
  close: () => void
}

function Add({ tracker, allowed, setTracker, close }: Props) {
  const form = useCallForm(creators[tracker], {
    initial: { title: '', description: '' } as Record<string, string>,
    labels: { title: 'Title' },
    onDone: ({ key }) => {
      void readAgain([hintOf[tracker]])
      toast.success(`${key} is created`)
      close()
    },
  })
  const fields = form as unknown as Form // all values are text
  return (
    <FormModal
      opened
      close={close}
      title={`New ${words[tracker].one}`}
      save="Create"
      size={560}
      form={form}
      nothing="Nothing was created."
    >
      <Select
        label="Kind"
        allowDeselect={false}
        data={allowed.map((value) => ({ value, label: words[value].one }))}
        value={tracker}
        onChange={(value) => setTracker((value ?? tracker) as Tracker)} // the options are our own
      />
      <TextInput label="Title" autoComplete="off" data-autofocus {...fields.text('title')} />
      <Textarea label="Description" autosize minRows={4} maxRows={14} {...fields.text('description')} />
    </FormModal>
  )
}
