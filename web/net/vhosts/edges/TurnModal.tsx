import { Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { reread, type Turn } from './cdnActs.ts'
import { EdgePreview } from './EdgePreview.tsx'

/** Confirms a change of edges without fields; previews the files that it writes. */
export default function TurnModal({ turn, close }: { turn: Turn; close: () => void }) {
  const { title, text, verb, danger, requested, act, said } = turn
  const { busy, run } = useAct()
  const begin = () =>
    run(async () => {
      await act()
      reread()
      toast.info(said)
      close()
    })
  return (
    <Dialog opened onClose={close} title={title} size={760}>
      <Stack gap={14}>
        <Text>{text}</Text>
        <EdgePreview requested={requested} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button color={danger ? 'error' : undefined} loading={busy} onClick={() => void begin()}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
