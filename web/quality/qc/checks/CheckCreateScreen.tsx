import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { qcChecksApi } from '../api.ts'
import { useAfterSaving } from '../settings/useAfterSaving.ts'
import { CheckFields } from './CheckFields.tsx'
import { checkLabels, freshRule } from './values.ts'

export default function CheckCreateScreen() {
  const { toList, onDone } = useAfterSaving(
    '/qc-settings-v2/checks',
    'created',
    'All conversations are checked in the background.',
  )
  const form = useCallForm(qcChecksApi.createCheck, { initial: freshRule, labels: checkLabels, onDone })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="All conversations are checked in the background. Results never count as reviews."
      save="Create rule"
      onCancel={toList}
    >
      <CheckFields values={form.values} text={form.text} field={form.field} />
    </FormScreen>
  )
}
