import type { Ban, IpSetView } from '@innkeeper/contract/machines/ipsets/shapes'
import { TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ipsetsApi } from './api.ts'
import { touched } from './SetActs.tsx'
import { Until } from './Until.tsx'

/** The reason and the end of a ban. */
export default function EditModal({ set, ban, close }: { set: IpSetView; ban: Ban; close: () => void }) {
  const form = useCallForm(ipsetsApi.change, {
    initial: { reason: ban.reason ?? '', expiresAt: ban.expiresAt },
    fixed: { set: set.name, ip: ban.ip, version: ban.version },
    labels: { reason: 'Reason', expiresAt: 'Until' },
    onDone: ({ ip }) => {
      void readAgain(touched)
      toast.success(`The ban of ${ip} is saved`)
      close()
    },
  })
  const until = form.field('expiresAt')
  return (
    <FormModal opened close={close} title={`Ban of ${ban.ip}`} save="Save ban" form={form} nothing="Nothing was saved.">
      <TextInput label="Reason" data-autofocus autoComplete="off" {...form.text('reason')} />
      <Until value={until.value} onChange={until.onChange} error={until.error} />
    </FormModal>
  )
}
