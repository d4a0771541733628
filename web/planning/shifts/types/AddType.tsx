import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { shiftsApi } from '../api.ts'
import { initialType, TypeFields, typeLabels } from './TypeFields.tsx'

export default function AddType({ close }: { close: () => void }) {
  const form = useCallForm(shiftsApi.createType, {
    initial: initialType,
    labels: typeLabels,
    onDone: ({ name }) => {
      void readAgain(['shifts'])
      toast.success(`${name} is added`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title="Add shift type"
      save="Add shift type"
      nothing="Nothing was added."
      form={form}
    >
      <TypeFields form={form} />
    </FormModal>
  )
}
