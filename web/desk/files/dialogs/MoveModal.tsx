import type { Folder, StoredFile } from '@innkeeper/contract/desk/files'
import { Button, Group, NavLink, Skeleton, Text } from '@mantine/core'
import { IconArrowUp, IconFolder, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { confirmPublic, publishing } from '../acts.ts'
import { filesApi } from '../api.ts'

interface Props {
  files?: StoredFile[]
  folder?: Folder
  close: () => void
}

/** Chooses a target folder, one level at a time. */
export default function MoveModal({ files = [], folder, close }: Props) {
  const [at, setAt] = useState<number | null>(null)
  const input = { itemsPerPage: 1 }
  const place = useQuery<Awaited<ReturnType<typeof filesApi.root>>>(
    at === null ? filesApi.root.query(input) : filesApi.folder.query({ ...input, id: at }),
  )
  const { busy, run } = useAct()
  const what = folder?.name ?? (files.length === 1 ? files[0]?.name : counted(files.length, ['file', 'files']))
  const here = files.every(({ folderId }) => folderId === at) && (!folder || folder.parentId === at)
  const opened =
    place.data && !place.data.folder?.hidden ? files.filter(({ hidden, isPrivate }) => hidden && !isPrivate) : []

  const move = async () => {
    if (opened.length && !(await confirmPublic(opened.length))) return
    for (const file of files) {
      const { id, version } = file
      await filesApi.update({ id, version, folderId: at, ...(opened.includes(file) && { publishes: 1 }) })
    }
    if (folder) {
      const { id, version } = folder
      if (!(await publishing((publishes) => filesApi.updateFolder({ id, version, parentId: at, publishes })))) return
    }
    toast.success(`${what} is in ${place.data?.name}`)
    void readAgain(['files'])
    close()
  }
  return (
    <Dialog opened onClose={close} title={`Move ${what}`} size={460}>
      <Text fw={500} mb={6} aria-live="polite">
        {place.data?.name ?? '…'}
      </Text>
      {place.error && <ErrorLine error={place.error} />}
      {place.isPending && <Skeleton h={120} />}
      <div style={{ minHeight: 160, maxHeight: 320, overflowY: 'auto' }}>
        {at !== null && place.data && (
          <NavLink
            component="button"
            label="Up"
            leftSection={<IconArrowUp size={15} />}
            onClick={() => setAt(place.data.parents.at(-1)?.id ?? null)}
          />
        )}
        {place.data?.folders
          .filter(({ id }) => id !== folder?.id)
          .map(({ id, name, hidden }) => (
            <NavLink
              key={id}
              component="button"
              label={name}
              leftSection={<IconFolder size={15} />}
              rightSection={hidden && <IconLock size={13} aria-label="private" />}
              onClick={() => setAt(id)}
            />
          ))}
        {place.data?.folders.length === 0 && (
          <Text c="dimmed" p={8}>
            No folder in here.
          </Text>
        )}
      </div>
      {opened.length > 0 && (
        <Text c="warning" fz="xs" mt={8}>
          {counted(opened.length, ['file becomes', 'files become'])} public here: everybody who has the address can
          read.
        </Text>
      )}
      <Group justify="flex-end" gap={8} mt={14}>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <ActButton
          loading={busy}
          reason={here ? 'It is in this folder already.' : place.data ? undefined : 'The folder is being read.'}
          onClick={() => void run(move)}
        >
          Move here
        </ActButton>
      </Group>
    </Dialog>
  )
}
