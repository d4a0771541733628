import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { qcSettingsApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { TypeFields, typeLabels, typeValues } from './TypeFields.tsx'
import { useAfterSaving } from './useAfterSaving.ts'

export default function TypeCreateScreen() {
  const paths = usePaths()
  const { toList, onDone } = useAfterSaving(paths.types, 'created')
  const form = useCallForm(qcSettingsApi.createType, {
    initial: typeValues({
      ...{ name: '', description: '', weight: 10, position: 0, usedFor: 'all', gradeIds: [] },
      ...{ isCritical: false, mayBeNA: true, isActive: true },
    }),
    labels: typeLabels,
    onDone,
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="New reviews ask for the type; past reviews stay as they are."
      save="Create score type"
      onCancel={toList}
    >
      <TypeFields text={form.text} field={form.field} />
    </FormScreen>
  )
}
