import type { ScoreType } from '@innkeeper/contract/quality/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { qcSettingsApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { pastScores } from '../words.ts'
import { TypeFields, typeLabels, typeValues } from './TypeFields.tsx'
import { useEditForm } from './useEditForm.ts'

export default function TypeEdit({ id }: { id: number }) {
  const query = useQuery(qcSettingsApi.type.query({ id }))
  return query.data ? <Form type={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ type }: { type: ScoreType }) {
  const { form, screen } = useEditForm(qcSettingsApi.updateType, type, {
    list: usePaths().types,
    values: typeValues,
    labels: typeLabels,
  })
  return (
    <FormScreen
      {...screen}
      meta={`Weight ${type.weight}${type.isCritical ? ', critical' : ''}`}
      left={pastScores(type.scores)}
      save="Save score type"
    >
      <TypeFields text={form.text} field={form.field} />
    </FormScreen>
  )
}
