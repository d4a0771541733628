import type { ScoreGrade } from '@innkeeper/contract/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { counted } from '../../kit/look/format.ts'
import { qcSettingsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { pastScores } from '../words.ts'
import { GradeFields, gradeLabels, gradeValues } from './GradeFields.tsx'
import { useAfterSaving } from './useAfterSaving.ts'

export default function GradeEdit({ id }: { id: number }) {
  const query = useQuery(qcSettingsApi.grade.query({ id }))
  return query.data ? <Form grade={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ grade }: { grade: ScoreGrade }) {
  const face = useFace()
  const reason = useReason()(qcSettingsApi.updateGrade)
  const { toList, onDone } = useAfterSaving(face.grades, 'saved')
  const opened = useOpened(grade)
  const form = useCallForm(qcSettingsApi.updateGrade, {
    initial: gradeValues(opened),
    fixed: { id: opened.id, version: opened.version },
    labels: gradeLabels,
    onDone,
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={grade.name}
      meta={`Value ${grade.value}, offered by ${counted(grade.types, ['score type', 'score types'])}`}
      left={pastScores(grade.scores)}
      save="Save grade"
      reason={reason}
      onCancel={toList}
    >
      <GradeFields text={form.text} field={form.field} />
    </FormScreen>
  )
}
