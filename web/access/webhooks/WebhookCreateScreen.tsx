import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { SecretOnce } from '../../kit/dialogs/SecretOnce.tsx'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { webhooksApi } from './api.ts'
import { Fields, labels } from './Fields.tsx'

export default function WebhookCreateScreen() {
  const navigate = useNavigate()
  const [made, setMade] = useState<{ id: number; secret: string }>()
  const form = useCallForm(webhooksApi.create, {
    initial: {
      ...{ name: '', url: '', domains: [] as string[], objects: [] as number[], departments: [] as number[] },
      ownerId: undefined as number | undefined,
    },
    labels,
    onDone: ({ webhook, secret }) => {
      void readAgain(['webhooks'])
      setMade({ id: webhook.id, secret })
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="The secret is shown once."
      save="Create webhook"
      onCancel={() => void navigate({ to: '/webhooks' })}
    >
      <Fields
        name={form.text('name')}
        url={form.text('url')}
        domains={form.field('domains')}
        objects={form.field('objects')}
        departments={form.field('departments')}
        owner={form.field('ownerId')}
      />
      {made && (
        <SecretOnce
          title={`Secret of ${form.values.name}`}
          text="The receiver verifies the signature of each message with it, as Standard Webhooks says."
          label="secret"
          secret={made.secret}
          close={() => void navigate({ to: '/webhooks/$webhookId', params: { webhookId: String(made.id) } })}
        />
      )}
    </FormScreen>
  )
}
