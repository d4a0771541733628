import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { qcSettingsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { SettingForm } from './SettingForm.tsx'
import { TagFields, tagLabels, tagValues } from './TagFields.tsx'

export default function TagCreateScreen() {
  const navigate = useNavigate()
  const face = useFace()
  const toList = () => void navigate({ to: face.tags })
  const form = useCallForm(qcSettingsApi.createTag, {
    initial: tagValues({ name: '', description: '', colour: 'secondary', usedFor: 'all' }),
    labels: tagLabels,
    onDone: ({ name }) => {
      void readAgain(['qc'])
      toast.success(`${name} is created`)
      toList()
    },
  })
  return (
    <SettingForm form={form} left="Reviewers can choose the tag at once." save="Create tag" onCancel={toList}>
      <TagFields text={form.text} colour={form.field('colour')} usedFor={form.field('usedFor')} />
    </SettingForm>
  )
}
