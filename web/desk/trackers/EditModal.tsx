import type { ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Textarea } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { bugsApi, featuresApi, hintOf, ticketsApi } from './api.ts'
import { type Form, labels, TextFields } from './ItemFields.tsx'

// the three calls differ in fields that only the form of their tracker shows
const calls: Record<Tracker, typeof bugsApi.update> = {
  bug: bugsApi.update,
  feature: featuresApi.update as unknown as typeof bugsApi.update,
  ticket: ticketsApi.update as unknown as typeof bugsApi.update,
}

/** Title and texts of an item. If somebody else saved first, both versions are shown. */
export default function EditModal({ tracker, item, close }: { tracker: Tracker; item: ItemPage; close: () => void }) {
  const opened = useOpened(item)
  const { id, version, title, description, steps, expected, releaseNote } = opened
  const initial: Record<string, string> = {
    ...{ title, description },
    ...(tracker === 'bug' && { steps, expected }),
    ...(tracker === 'feature' && { releaseNote }),
  }
  const form = useCallForm(calls[tracker], {
    initial,
    fixed: { id, version },
    labels,
    onDone: () => {
      void readAgain([hintOf[tracker]])
      close()
    },
  })
  const fields = form as unknown as Form // all values are text
  return (
    <FormModal
      opened
      close={close}
      title={item.key}
      save="Save texts"
      size={720}
      form={form}
      nothing="Nothing was saved."
    >
      <TextFields tracker={tracker} form={fields} />
      {tracker === 'feature' && <Textarea label="Release note" autosize minRows={2} {...fields.text('releaseNote')} />}
    </FormModal>
  )
}
