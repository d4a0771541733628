import { Button, Group, Stack, Text } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { errorDialog } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'

interface Row {
  id: number
  name: string
  version: number
  uses: number
}
interface Props<R extends Row> {
  row: R
  /** "team" */
  noun: string
  /** What happens to uses: "Members and teams below move to it". */
  moves: string
  list: ComponentProps<typeof PickOne<R>>['call']
  remove: (input: { id: number; version: number; replacementId?: number }) => Promise<unknown>
  close: () => void
}

/** Deletes a row; one that is in use asks for its replacement. */
export function RemoveModal<R extends Row>({ row, noun, moves, list, remove, close }: Props<R>) {
  const [replacementId, choose] = useState<number | null>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const asks = row.uses > 0
  const run = async () => {
    setBusy(true)
    try {
      await remove({ id: row.id, version: row.version, ...(replacementId !== null && { replacementId }) })
      toast.success(`${row.name} is deleted`)
      close()
    } catch (failure) {
      const text = failure instanceof ApiError ? failure.body.fields?.replacementId : undefined
      setError(text)
      if (!text) void errorDialog(failure)
    } finally {
      setBusy(false)
      void readAgain(['dossiers', 'dossierFeedback'])
    }
  }
  return (
    <Dialog opened onClose={close} title={`Delete ${row.name}?`}>
      <Stack gap={18}>
        {asks ? (
          <>
            <Text>
              Used {row.uses >= 1000 ? 'at least ' : ''}
              {counted(row.uses, ['time', 'times'])}. {moves}.
            </Text>
            <PickOne
              label={`Replacing ${noun}`}
              required
              call={list}
              nameOf={({ name }) => name}
              closed={({ id }) => (id === row.id ? 'Is being deleted' : undefined)}
              value={replacementId}
              onChange={(id) => choose(id)}
              error={error}
            />
          </>
        ) : (
          <Text>Nothing uses the {noun}.</Text>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            color="error"
            loading={busy}
            reason={asks && replacementId === null ? 'Choose what replaces it first.' : undefined}
            onClick={() => void run()}
          >
            Delete {noun}
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
