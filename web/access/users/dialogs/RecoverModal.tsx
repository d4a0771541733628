import type { User } from '@innkeeper/contract/access/users/shapes'
import { Stack, Text, Textarea } from '@mantine/core'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { recoveryApi } from '../../recovery/api.ts'

/** Asks for the recovery of an account, which somebody else confirms. */
export default function RecoverModal({ user, close }: { user: Pick<User, 'id' | 'name'>; close: () => void }) {
  const form = useCallForm(recoveryApi.ask, {
    initial: { reason: '' },
    fixed: { userId: user.id },
    labels: { reason: 'Reason' },
    onDone: () => {
      toast.success('You asked for the recovery', 'Somebody else confirms it under Recoveries, within a day.')
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Recover the account of ${user.name}?`}
      save="Ask for recovery"
      form={form}
      nothing="Nobody was asked."
    >
      <Stack gap={8}>
        <Text>
          For somebody who lost every way to sign in. Another person confirms it and gives {user.name} a link, which
          removes the second factor and the passkeys.
        </Text>
        <Textarea label="Reason" autosize minRows={2} data-autofocus {...form.text('reason')} />
      </Stack>
    </FormModal>
  )
}
