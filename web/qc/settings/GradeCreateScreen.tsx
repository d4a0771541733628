import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { qcSettingsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { GradeFields, gradeLabels, gradeValues } from './GradeFields.tsx'
import { SettingForm } from './SettingForm.tsx'

export default function GradeCreateScreen() {
  const navigate = useNavigate()
  const face = useFace()
  const toList = () => void navigate({ to: face.grades })
  const form = useCallForm(qcSettingsApi.createGrade, {
    initial: gradeValues({
      ...{ name: '', description: '', value: 0, colour: 'secondary', position: 0 },
      ...{ needsComment: false, isActive: true },
    }),
    labels: gradeLabels,
    onDone: ({ name }) => {
      void readAgain(['qc'])
      toast.success(`${name} is created`, 'Add the grade to the score types that offer it.')
      toList()
    },
  })
  return (
    <SettingForm
      form={form}
      left="Score types offer the grade once it is added to them."
      save="Create grade"
      onCancel={toList}
    >
      <GradeFields text={form.text} field={form.field} />
    </SettingForm>
  )
}
