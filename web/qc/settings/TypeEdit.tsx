import type { ScoreType } from '@innkeeper/contract/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { qcSettingsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { pastScores } from '../words.ts'
import { TypeFields, typeLabels, typeValues } from './TypeFields.tsx'
import { useAfterSaving } from './useAfterSaving.ts'

export default function TypeEdit({ id }: { id: number }) {
  const query = useQuery(qcSettingsApi.type.query({ id }))
  return query.data ? <Form type={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ type }: { type: ScoreType }) {
  const face = useFace()
  const reason = useReason()(qcSettingsApi.updateType)
  const { toList, onDone } = useAfterSaving(face.types, 'saved')
  const opened = useOpened(type)
  const form = useCallForm(qcSettingsApi.updateType, {
    initial: typeValues(opened),
    fixed: { id: opened.id, version: opened.version },
    labels: typeLabels,
    onDone,
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={type.name}
      meta={`Weight ${type.weight}${type.isCritical ? ', critical' : ''}`}
      left={pastScores(type.scores)}
      save="Save score type"
      reason={reason}
      onCancel={toList}
    >
      <TypeFields text={form.text} field={form.field} />
    </FormScreen>
  )
}
