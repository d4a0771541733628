import type { SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { Text } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { PlanTable } from '../plans/PlanTable.tsx'
import { systemUsersApi } from './api.ts'

/** Changes the plan of an account; shows beside the plan which limits the account exceeds. */
export function ChangePlan({ account, close }: { account: SystemUser; close: () => void }) {
  const form = useCallForm(systemUsersApi.plan, {
    initial: { planId: account.planId, version: account.version },
    fixed: { id: account.id },
    labels: { planId: 'Plan' },
    onDone: () => {
      void readAgain(['systemUsers', 'websites', 'workflows'])
      toast.info(`${account.username} gets another plan`, 'The plan applies as soon as the server has the new limits.')
      close()
    },
  })
  const { value, onChange, error } = form.field('planId')
  return (
    <FormModal
      opened
      close={close}
      title={`Plan of ${account.username}`}
      save="Change plan"
      form={{ ...form, valid: form.valid && form.dirty }}
      nothing="Nothing was changed."
    >
      <PlanTable value={String(value)} onChange={(id) => onChange(Number(id))} error={error} />
      <Text c="dimmed">
        The plan also applies to its websites on {account.serverName}. Only services that need a restart are restarted.
      </Text>
    </FormModal>
  )
}
