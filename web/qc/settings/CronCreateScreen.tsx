import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { qcTicketsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { CronFields, cronLabels, cronValues } from './CronFields.tsx'
import { SettingForm } from './SettingForm.tsx'

export default function CronCreateScreen() {
  const navigate = useNavigate()
  const face = useFace()
  const toList = () => void navigate({ to: face.cron })
  const form = useCallForm(qcTicketsApi.createCronFilter, {
    initial: cronValues({ name: '', value: '', isActive: true, everyMinutes: 60, perAgent: null }),
    labels: cronLabels,
    onDone: ({ name }) => {
      void readAgain(['qc'])
      toast.success(`${name} is created`, 'The filter runs within a minute.')
      toList()
    },
  })
  return (
    <SettingForm form={form} left="The first run follows within a minute." save="Create cron filter" onCancel={toList}>
      <CronFields values={form.values} text={form.text} field={form.field} />
    </SettingForm>
  )
}
