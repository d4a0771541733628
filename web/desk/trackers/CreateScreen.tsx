import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Button, FileButton } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { attempt } from '../../kit/api/attempt.ts'
import { FileChips } from '../../kit/conversation/FileChips.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { apiOf, creators, hintOf } from './api.ts'
import { ChoiceFields, type Form, labels, TextFields } from './ItemFields.tsx'
import { itemPath, useTracker, words } from './trackerInfo.ts'
import { useChoices } from './useFilters.ts'

const common = { title: '', description: '', statusId: '', priorityId: '', componentId: '', assigneeId: '', dueOn: '' }
const initial: Record<Tracker, Record<string, string>> = {
  bug: { ...common, estimateMinutes: '', folderId: '', departmentId: '', steps: '', expected: '' },
  feature: { ...common, estimateMinutes: '', folderId: '', departmentId: '' },
  ticket: { ...common, estimateMinutes: '' },
}

export default function CreateScreen() {
  const tracker = useTracker()
  return <CreateForm key={tracker} tracker={tracker} />
}

function CreateForm({ tracker }: { tracker: Tracker }) {
  const navigate = useNavigate()
  const choices = useChoices(tracker)
  const [files, setFiles] = useState<File[]>([])
  const { list, one } = words[tracker]
  const form = useCallForm(creators[tracker], {
    initial: initial[tracker],
    labels,
    onDone: async ({ id, key }) => {
      toast.success(`${key} is created`)
      // a refused file does not undo the item: its page offers to attach another one
      if (files.length) await attempt(() => apiOf(tracker).attach({ id, files }), [hintOf[tracker]])
      void navigate({ to: itemPath(tracker, id) })
    },
  })
  const fields = form as unknown as Form // all values are text
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      width={720}
      left="The assignee is notified."
      save={`Create ${one}`}
      onCancel={() => void navigate({ to: list })}
    >
      <TextFields tracker={tracker} form={fields} />
      <ChoiceFields tracker={tracker} form={fields} choices={choices} />
      <div>
        <FileButton multiple onChange={(more) => setFiles([...files, ...more])}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconPaperclip size={15} />}>
              Attach files
            </Button>
          )}
        </FileButton>
        <FileChips files={files} onRemove={(gone) => setFiles(files.filter((file) => file !== gone))} />
      </div>
    </FormScreen>
  )
}
