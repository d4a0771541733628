import type { ScoreType } from '@innkeeper/contract/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { qcSettingsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { pastScores } from '../words.ts'
import { SettingForm } from './SettingForm.tsx'
import { TypeFields, typeLabels, typeValues } from './TypeFields.tsx'

export default function TypeEdit({ id }: { id: number }) {
  const query = useQuery(qcSettingsApi.type.query({ id }))
  return query.data ? <Form type={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ type }: { type: ScoreType }) {
  const navigate = useNavigate()
  const face = useFace()
  const reason = useReason()(qcSettingsApi.updateType)
  const toList = () => void navigate({ to: face.types })
  const opened = useOpened(type)
  const form = useCallForm(qcSettingsApi.updateType, {
    initial: typeValues(opened),
    fixed: { id: opened.id, version: opened.version },
    labels: typeLabels,
    onDone: ({ name }) => {
      void readAgain(['qc'])
      toast.success(`${name} is saved`)
      toList()
    },
  })
  return (
    <SettingForm
      form={form}
      title={type.name}
      meta={`Weight ${type.weight}${type.isCritical ? ', critical' : ''}`}
      left={pastScores(type.scores)}
      save="Save score type"
      reason={reason}
      onCancel={toList}
    >
      <TypeFields text={form.text} field={form.field} />
    </SettingForm>
  )
}
