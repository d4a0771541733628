import type { Elevation } from '@innkeeper/contract/access/elevations'
import { Text, Textarea } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { elevationsApi } from './api.ts'
import { spanText } from './words.ts'

interface Props {
  elevation: Elevation
  grants: boolean
  close: () => void
}

/** The word of the second person. */
export default function DecideModal({ elevation, grants, close }: Props) {
  const { id, userName, scopes, minutes, reason } = elevation
  const form = useCallForm(elevationsApi.grant, {
    ...(!grants && { send: ({ id, note = '' }) => elevationsApi.refuse({ id, note }) }),
    initial: { note: '' },
    fixed: { id },
    labels: { note: grants ? 'Note' : 'Why' },
    onDone: () => {
      void readAgain(['elevations'])
      toast.success(grants ? `${userName} has it for ${spanText(minutes)}` : `${userName} is told`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={grants ? `Grant what ${userName} asks for?` : `Refuse what ${userName} asks for?`}
      save={grants ? 'Grant' : 'Refuse'}
      form={form}
      nothing="Nothing was decided."
    >
      <Text style={{ overflowWrap: 'anywhere' }}>
        For {spanText(minutes)}: {scopes.slice(0, 12).join(', ')}
        {scopes.length > 12 && ` and ${scopes.length - 12} more`}
      </Text>
      <Text c="dimmed">{reason}</Text>
      <Textarea
        label={grants ? 'Note' : 'Why'}
        description={grants ? 'Optional' : undefined}
        autosize
        minRows={2}
        data-autofocus
        {...form.text('note')}
      />
    </FormModal>
  )
}
