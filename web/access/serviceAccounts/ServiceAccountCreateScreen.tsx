import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { serviceAccountsApi } from './api.ts'
import { Fields, labels } from './Fields.tsx'

export default function ServiceAccountCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/service-accounts' })
  const form = useCallForm(serviceAccountsApi.create, {
    initial: {
      name: '',
      description: '',
      ownerId: undefined as number | undefined,
      roleId: null as number | null,
      departmentId: null as number | null,
    },
    labels,
    onDone: ({ name }) => {
      void readAgain(['serviceAccounts'])
      toast.success(`${name} is created`, 'Make a token for its program.')
      toList()
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Its tokens are made next."
      save="Create service account"
      onCancel={toList}
    >
      <Fields
        name={form.text('name')}
        description={form.text('description')}
        owner={form.field('ownerId')}
        role={form.field('roleId')}
        department={form.field('departmentId')}
      />
    </FormScreen>
  )
}
