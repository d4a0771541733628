import type { Webhook } from '@innkeeper/contract/access/webhooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { webhooksApi } from './api.ts'
import { Fields, labels } from './Fields.tsx'

export default numbered('webhookId', WebhookEditScreen)

function WebhookEditScreen({ id }: { id: number }) {
  const query = useQuery(webhooksApi.one.query({ id }))
  return query.data ? <Form hook={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ hook }: { hook: Webhook }) {
  const navigate = useNavigate()
  const opened = useOpened(hook)
  const { id, name, url, domains, objects, departments, ownerId, version } = opened
  const toPage = () => void navigate({ to: '/webhooks/$webhookId', params: { webhookId: String(id) } })
  const form = useCallForm(webhooksApi.update, {
    initial: { name, url, domains, objects, departments, ownerId: ownerId as number | undefined, version },
    fixed: { id },
    labels,
    onDone: (saved) => {
      void readAgain(['webhooks'])
      toast.success(`${saved.name} is saved`)
      toPage()
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={hook.name}
      meta={hook.url}
      save="Save webhook"
      onCancel={toPage}
    >
      <Fields
        name={form.text('name')}
        url={form.text('url')}
        domains={form.field('domains')}
        objects={form.field('objects')}
        departments={form.field('departments')}
        owner={form.field('ownerId')}
        ownerName={hook.ownerName}
      />
    </FormScreen>
  )
}
