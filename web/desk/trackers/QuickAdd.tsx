import type { Face } from '@innkeeper/contract/desk/trackers/values'
import { missing } from '@innkeeper/contract/kit/access'
import { Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../kit/access/session.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { creators, hintOf } from './api.ts'
import { words } from './faces.ts'
import type { Form } from './ItemFields.tsx'

const faces: Face[] = ['bug', 'feature', 'ticket']

/** A short form for a bug, a feature request or a ticket, from every page (key C). */
export default function QuickAdd({ close }: { close: () => void }) {
  const user = useSession()
  const allowed = faces.filter((face) => missing(user, creators[face].endpoint.access).length === 0)
  const [face, setFace] = useState(allowed[0])
  if (!face) return null
  return <Add key={face} face={face} allowed={allowed} setFace={setFace} close={close} />
}

interface Props {
  face: Face
  allowed: readonly Face[]
  setFace: (face: Face) => void
  close: () => void
}

function Add({ face, allowed, setFace, close }: Props) {
  const form = useCallForm(creators[face], {
    initial: { title: '', description: '' } as Record<string, string>,
    labels: { title: 'Title' },
    onDone: ({ key }) => {
      void readAgain([hintOf[face]])
      toast.success(`${key} is created`)
      close()
    },
  })
  const fields = form as unknown as Form // all values are text
  return (
    <FormModal
      opened
      close={close}
      title={`New ${words[face].one}`}
      save="Create"
      size={560}
      form={form}
      nothing="Nothing was created."
    >
      <Select
        label="Kind"
        allowDeselect={false}
        data={allowed.map((value) => ({ value, label: words[value].one }))}
        value={face}
        onChange={(value) => setFace((value ?? face) as Face)} // the options are our own
      />
      <TextInput label="Title" autoComplete="off" data-autofocus {...fields.text('title')} />
      <Textarea label="Description" autosize minRows={4} maxRows={14} {...fields.text('description')} />
    </FormModal>
  )
}
