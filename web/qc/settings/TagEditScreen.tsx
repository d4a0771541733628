import type { Tag } from '@innkeeper/contract/qc/settings'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { counted } from '../../kit/look/format.ts'
import { qcSettingsApi } from '../api.ts'
import { useFace } from '../faces.ts'
import { TagFields, tagLabels, tagValues } from './TagFields.tsx'
import { useAfterSaving } from './useAfterSaving.ts'

export default numbered('tagId', TagEditScreen)

function TagEditScreen({ id }: { id: number }) {
  const query = useQuery(qcSettingsApi.tag.query({ id }))
  return query.data ? <Form tag={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ tag }: { tag: Tag }) {
  const face = useFace()
  const reason = useReason()(qcSettingsApi.updateTag)
  const { toList, onDone } = useAfterSaving(face.tags, 'saved')
  const opened = useOpened(tag)
  const form = useCallForm(qcSettingsApi.updateTag, {
    initial: tagValues(opened),
    fixed: { id: opened.id, version: opened.version },
    labels: tagLabels,
    onDone,
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={tag.name}
      meta={`Used ${counted(tag.uses, ['time', 'times'])}`}
      left="The new name shows everywhere the tag is used."
      save="Save tag"
      reason={reason}
      onCancel={toList}
    >
      <TagFields text={form.text} colour={form.field('colour')} usedFor={form.field('usedFor')} />
    </FormScreen>
  )
}
