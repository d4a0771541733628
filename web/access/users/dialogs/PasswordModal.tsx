import type { User } from '@innkeeper/contract/access/users/shapes'
import { Text } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { PasswordField } from '../../../kit/form/PasswordField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { usersApi } from '../api.ts'

/** Sets a first password, which the person has to change at the next sign-in. */
export default function PasswordModal({ user, close }: { user: User; close: () => void }) {
  const form = useCallForm(usersApi.setPassword, {
    initial: { password: '' },
    fixed: { id: user.id },
    labels: { password: 'First password' },
    onDone: () => {
      void readAgain(['users'])
      toast.success(`${user.name} has a first password`, 'The password has to be changed at the next sign-in.')
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`First password for ${user.name}`}
      save="Set password"
      form={form}
      nothing="Nothing was changed."
    >
      <Text>Every session of theirs ends. They choose a password of their own when they sign in with this one.</Text>
      <PasswordField
        label="First password"
        words={[user.name, user.username, user.email]}
        data-autofocus
        {...form.field('password')}
      />
    </FormModal>
  )
}
