import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { qcSettingsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { SettingForm } from './SettingForm.tsx'
import { TypeFields, typeLabels, typeValues } from './TypeFields.tsx'

export default function TypeCreateScreen() {
  const navigate = useNavigate()
  const face = useFace()
  const toList = () => void navigate({ to: face.types })
  const form = useCallForm(qcSettingsApi.createType, {
    initial: typeValues({
      ...{ name: '', description: '', weight: 10, position: 0, usedFor: 'all', gradeIds: [] },
      ...{ isCritical: false, mayBeNA: true, isActive: true },
    }),
    labels: typeLabels,
    onDone: ({ name }) => {
      void readAgain(['qc'])
      toast.success(`${name} is created`)
      toList()
    },
  })
  return (
    <SettingForm
      form={form}
      left="New reviews ask for the type; past reviews stay as they are."
      save="Create score type"
      onCancel={toList}
    >
      <TypeFields text={form.text} field={form.field} />
    </SettingForm>
  )
}
