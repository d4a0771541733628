import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { qcSettingsApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { GradeFields, gradeLabels, gradeValues } from './GradeFields.tsx'
import { useAfterSaving } from './useAfterSaving.ts'

export default function GradeCreateScreen() {
  const paths = usePaths()
  const { toList, onDone } = useAfterSaving(paths.grades, 'created', 'Add the grade to the score types that offer it.')
  const form = useCallForm(qcSettingsApi.createGrade, {
    initial: gradeValues({
      ...{ name: '', description: '', value: 0, colour: 'secondary', position: 0 },
      ...{ needsComment: false, isActive: true },
    }),
    labels: gradeLabels,
    onDone,
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Score types offer the grade once it is added to them."
      save="Create grade"
      onCancel={toList}
    >
      <GradeFields text={form.text} field={form.field} />
    </FormScreen>
  )
}
