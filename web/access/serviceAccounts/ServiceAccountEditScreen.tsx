import type { ServiceAccount } from '@innkeeper/contract/access/serviceAccounts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { counted } from '../../kit/look/format.ts'
import { serviceAccountsApi } from './api.ts'
import { Fields, labels } from './Fields.tsx'

export default numbered('accountId', ServiceAccountEditScreen)

function ServiceAccountEditScreen({ id }: { id: number }) {
  const query = useQuery(serviceAccountsApi.one.query({ id }))
  return query.data ? <Form account={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ account }: { account: ServiceAccount }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/service-accounts' })
  const opened = useOpened(account)
  const { id, name, description, ownerId, roleId, departmentId, version } = opened
  const form = useCallForm(serviceAccountsApi.update, {
    initial: {
      name,
      description: description ?? '',
      ownerId: ownerId as number | undefined,
      roleId,
      departmentId,
      version,
    },
    fixed: { id },
    labels,
    onDone: (saved) => {
      void readAgain(['serviceAccounts', 'apiTokens'])
      toast.success(`${saved.name} is saved`)
      toList()
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={account.name}
      meta={counted(account.tokens, ['valid token', 'valid tokens'])}
      left="Its tokens get the new rights at once."
      save="Save service account"
      onCancel={toList}
    >
      <Fields
        name={form.text('name')}
        description={form.text('description')}
        owner={form.field('ownerId')}
        role={form.field('roleId')}
        department={form.field('departmentId')}
        names={account}
      />
    </FormScreen>
  )
}
