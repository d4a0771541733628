import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { qcTicketsApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { CronFields, cronLabels, cronValues } from './CronFields.tsx'
import { useAfterSaving } from './useAfterSaving.ts'

export default function CronCreateScreen() {
  const paths = usePaths()
  const { toList, onDone } = useAfterSaving(paths.cron, 'created', 'The filter runs within a minute.')
  const form = useCallForm(qcTicketsApi.createCronFilter, {
    initial: cronValues({ name: '', value: '', isActive: true, everyMinutes: 60, perAgent: null }),
    labels: cronLabels,
    onDone,
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="The first run follows within a minute."
      save="Create cron filter"
      onCancel={toList}
    >
      <CronFields values={form.values} text={form.text} field={form.field} />
    </FormScreen>
  )
}
