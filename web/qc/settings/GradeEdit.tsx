import type { ScoreGrade } from '@innkeeper/contract/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { counted } from '../../kit/look/format.ts'
import { qcSettingsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { pastScores } from '../words.ts'
import { GradeFields, gradeLabels, gradeValues } from './GradeFields.tsx'
import { SettingForm } from './SettingForm.tsx'

export default function GradeEdit({ id }: { id: number }) {
  const query = useQuery(qcSettingsApi.grade.query({ id }))
  return query.data ? <Form grade={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ grade }: { grade: ScoreGrade }) {
  const navigate = useNavigate()
  const face = useFace()
  const reason = useReason()(qcSettingsApi.updateGrade)
  const toList = () => void navigate({ to: face.grades })
  const opened = useOpened(grade)
  const form = useCallForm(qcSettingsApi.updateGrade, {
    initial: gradeValues(opened),
    fixed: { id: opened.id, version: opened.version },
    labels: gradeLabels,
    onDone: ({ name }) => {
      void readAgain(['qc'])
      toast.success(`${name} is saved`)
      toList()
    },
  })
  return (
    <SettingForm
      form={form}
      title={grade.name}
      meta={`Value ${grade.value}, offered by ${counted(grade.types, ['score type', 'score types'])}`}
      left={pastScores(grade.scores)}
      save="Save grade"
      reason={reason}
      onCancel={toList}
    >
      <GradeFields text={form.text} field={form.field} />
    </SettingForm>
  )
}
