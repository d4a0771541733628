import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { qcSettingsApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { TagFields, tagLabels, tagValues } from './TagFields.tsx'
import { useAfterSaving } from './useAfterSaving.ts'

export default function TagCreateScreen() {
  const paths = usePaths()
  const { toList, onDone } = useAfterSaving(paths.tags, 'created')
  const form = useCallForm(qcSettingsApi.createTag, {
    initial: tagValues({ name: '', description: '', colour: 'secondary', usedFor: 'all' }),
    labels: tagLabels,
    onDone,
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Reviewers can choose the tag at once."
      save="Create tag"
      onCancel={toList}
    >
      <TagFields text={form.text} colour={form.field('colour')} usedFor={form.field('usedFor')} />
    </FormScreen>
  )
}
