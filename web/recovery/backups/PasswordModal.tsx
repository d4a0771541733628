import type { Repository } from '@innkeeper/contract/recovery/backups/shapes'
import { PasswordInput, Text } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { domains } from './acts.ts'
import { backupsApi } from './api.ts'

/** Enters the password of a repository that was changed or lost outside Innkeeper. */
export default function PasswordModal({ repository, close }: { repository: Repository; close: () => void }) {
  const { id, version, account } = repository
  const form = useCallForm(backupsApi.changePassword, {
    initial: { password: '' },
    fixed: { id, version },
    labels: { password: 'Password' },
    onDone: () => {
      void readAgain(domains)
      toast.success(`${account} opens with this password`, 'The next backups use it.')
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Password of ${account}`}
      save="Try and save"
      form={form}
      nothing="Nothing was saved."
    >
      <Text>
        For a repository whose password was changed with restic itself, or that existed before. The backup server opens
        the repository with the password before Innkeeper stores it. The password in the repository stays as it is.
      </Text>
      <PasswordInput
        label="Password"
        description="Stored encrypted; the action log records that you entered one"
        autoComplete="new-password"
        {...form.text('password')}
      />
    </FormModal>
  )
}
