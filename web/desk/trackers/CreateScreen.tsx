import type { Face } from '@innkeeper/contract/desk/trackers/values'
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
import { itemPath, useFace, words } from './faces.ts'
import { ChoiceFields, type Form, labels, TextFields } from './ItemFields.tsx'
import { useChoices } from './useFilters.ts'

const common = { title: '', description: '', statusId: '', priorityId: '', componentId: '', assigneeId: '', dueOn: '' }
const initial: Record<Face, Record<string, string>> = {
  bug: { ...common, estimateMinutes: '', folderId: '', departmentId: '', steps: '', expected: '' },
  feature: { ...common, estimateMinutes: '', folderId: '', departmentId: '' },
  ticket: { ...common, estimateMinutes: '' },
}

export default function CreateScreen() {
  const face = useFace()
  return <CreateForm key={face} face={face} />
}

function CreateForm({ face }: { face: Face }) {
  const navigate = useNavigate()
  const choices = useChoices(face)
  const [files, setFiles] = useState<File[]>([])
  const { list, one } = words[face]
  const form = useCallForm(creators[face], {
    initial: initial[face],
    labels,
    onDone: async ({ id, key }) => {
      toast.success(`${key} is created`)
      // a refused file does not undo the item: its page offers to attach another one
      if (files.length) await attempt(() => apiOf(face).attach({ id, files }), [hintOf[face]])
      void navigate({ to: itemPath(face, id) })
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
      <TextFields face={face} form={fields} />
      <ChoiceFields face={face} form={fields} choices={choices} />
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
