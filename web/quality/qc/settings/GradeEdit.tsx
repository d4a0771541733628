import type { ScoreGrade } from '@innkeeper/contract/quality/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { counted } from '../../../kit/look/format.ts'
import { qcSettingsApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { pastScores } from '../words.ts'
import { GradeFields, gradeLabels, gradeValues } from './GradeFields.tsx'
import { useEditForm } from './useEditForm.ts'

export default function GradeEdit({ id }: { id: number }) {
  const query = useQuery(qcSettingsApi.grade.query({ id }))
  return query.data ? <Form grade={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ grade }: { grade: ScoreGrade }) {
  const { form, screen } = useEditForm(qcSettingsApi.updateGrade, grade, {
    list: usePaths().grades,
    values: gradeValues,
    labels: gradeLabels,
  })
  return (
    <FormScreen
      {...screen}
      meta={`Value ${grade.value}, offered by ${counted(grade.types, ['score type', 'score types'])}`}
      left={pastScores(grade.scores)}
      save="Save grade"
    >
      <GradeFields text={form.text} field={form.field} />
    </FormScreen>
  )
}
