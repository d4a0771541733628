import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { FEEDBACK, timelineApi } from '../api.ts'

const goes = [
  'Texts of feedback, with earlier versions, answers, mentions and attachments',
  'Comments on the dossier',
  'Answers and goals of talks',
  'The text about the person',
]
const stays = [
  'Who wrote when, and who was to read it',
  'Memberships, teams and positions with their days',
  'Reviews, escalations and comments of chats and tickets: they belong to the conversation',
  'Scrum audits, and the files themselves in the file manager of their owner',
  'A line in the action log with the reason',
]

interface Props {
  person: { id: number; name: string }
  close: () => void
}

/** Erases texts about a person for good, after their name was typed and a reason was given. */
export default function EraseModal({ person: { id, name }, close }: Props) {
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      const { feedback, comments, talks } = await timelineApi.erase({ id, reason: reason.trim() })
      const done = [
        counted(feedback, ['entry', 'entries']),
        counted(comments, ['comment', 'comments']),
        counted(talks, ['talk', 'talks']),
      ]
      toast.success(`Texts about ${name} are erased`, `${done.join(', ')}.`)
      close()
    } catch (failure) {
      const text = failure instanceof ApiError ? failure.body.fields?.reason : undefined
      setError(text)
      if (!text) void errorDialog(failure)
    } finally {
      setBusy(false)
      void readAgain(FEEDBACK)
    }
  }
  return (
    <Dialog opened onClose={close} title={`Erase what is written about ${name}?`}>
      <Stack gap={14}>
        <Kept title="Goes for good" items={goes} />
        <Kept title="Stays, as the law requires" items={stays} />
        <TextInput
          label="Reason"
          description="The action log keeps it"
          withAsterisk
          data-autofocus
          maxLength={300}
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setError(undefined)
          }}
          error={error}
        />
        <TextInput
          label={`Type ${name} to confirm`}
          withAsterisk
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            color="error"
            loading={busy}
            reason={typed.trim() !== name ? `Type ${name} first.` : reason.trim() ? undefined : 'Give a reason first.'}
            onClick={() => void run()}
          >
            Erase texts
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}

const Kept = ({ title, items }: { title: string; items: readonly string[] }) => (
  <div>
    <Text fw={600} mb={4}>
      {title}
    </Text>
    <List spacing={2}>
      {items.map((item) => (
        <List.Item key={item}>{item}</List.Item>
      ))}
    </List>
  </div>
)
