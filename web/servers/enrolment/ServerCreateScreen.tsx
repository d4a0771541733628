import type { Output } from '@innkeeper/contract/kit'
import type { servers } from '@innkeeper/contract/servers'
import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormNotes } from '../../kit/form/FormNotes.tsx'
import css from '../../kit/form/form.module.css'
import { SaveBar } from '../../kit/form/SaveBar.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
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
    <form {...form.form} className={css.form}>
      <Screen scroll={false}>
        <div className={css.body}>
          <Stack gap={18} maw={640}>
            <FormNotes form={form} nothing="Nothing was added." />
            <ServerFields
              name={form.text('name')}
              address={form.text('address')}
              note={form.text('note')}
              type={form.field('type')}
              webServer={form.field('webServer')}
              acceptsNew={form.field('acceptsNew')}
            />
          </Stack>
        </div>
      </Screen>
      <SaveBar
        left={form.wanting ?? 'Next you get the command that brings the agent.'}
        save="Add server"
        busy={form.busy}
        disabled={!form.valid}
        onCancel={() => void navigate({ to: '/server' })}
      />
    </form>
  )
}
