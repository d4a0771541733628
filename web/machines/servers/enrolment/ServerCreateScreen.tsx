import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { servers } from '@innkeeper/contract/machines/servers/calls'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { serversApi } from '../api.ts'
import { labels, ServerFields } from '../ServerFields.tsx'
import { Enrolling } from './Enrolling.tsx'

type Added = Output<typeof servers.create>

export default function ServerCreateScreen() {
  const [added, setAdded] = useState<Added>()
  return added ? <Enrolling added={added} /> : <Form onAdded={setAdded} />
}

function Form({ onAdded }: { onAdded: (added: Added) => void }) {
  const navigate = useNavigate()
  const form = useCallForm(serversApi.create, {
    initial: { name: '', type: 'web', webServer: 'nginx', address: '', note: '', acceptsNew: true },
    labels,
    onDone: (added) => {
      void readAgain(['servers'])
      onAdded(added)
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was added."
      left="Next you get the command that installs the agent."
      save="Add server"
      onCancel={() => void navigate({ to: '/server' })}
    >
      <ServerFields
        name={form.text('name')}
        address={form.text('address')}
        note={form.text('note')}
        type={form.field('type')}
        webServer={form.field('webServer')}
        acceptsNew={form.field('acceptsNew')}
      />
    </FormScreen>
  )
}
