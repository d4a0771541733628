import type { Tag } from '@innkeeper/contract/quality/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { counted } from '../../../kit/look/format.ts'
import { qcSettingsApi } from '../api.ts'
import { usePaths } from '../paths.ts'
import { TagFields, tagLabels, tagValues } from './TagFields.tsx'
import { useEditForm } from './useEditForm.ts'

export default numbered('tagId', TagEditScreen)

function TagEditScreen({ id }: { id: number }) {
  const query = useQuery(qcSettingsApi.tag.query({ id }))
  return query.data ? <Form tag={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ tag }: { tag: Tag }) {
  const { form, screen } = useEditForm(qcSettingsApi.updateTag, tag, {
    list: usePaths().tags,
    values: tagValues,
    labels: tagLabels,
  })
  return (
    <FormScreen
      {...screen}
      meta={`Used ${counted(tag.uses, ['time', 'times'])}`}
      left="The new name shows everywhere the tag is used."
      save="Save tag"
    >
      <TagFields text={form.text} colour={form.field('colour')} usedFor={form.field('usedFor')} />
    </FormScreen>
  )
}
