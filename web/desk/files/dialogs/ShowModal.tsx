import type { StoredFile } from '@innkeeper/contract/desk/files'
import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { bytes } from '../../../kit/look/format.ts'
import { addressOf, download } from '../acts.ts'
import css from '../Files.module.css'

/** Preview of a picture or PDF, from a sandboxed address that runs no scripts and loads nothing. */
export default function ShowModal({ file, close }: { file: StoredFile; close: () => void }) {
  const address = useQuery({
    queryKey: ['files', 'show', file.path],
    queryFn: () => addressOf(file.path, true),
    staleTime: Number.POSITIVE_INFINITY, // a ticket opens one download: the picture is not asked for again
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Dialog opened onClose={close} title={file.name} size="min(1000px, 100%)">
      <div className={css.shown}>
        {address.error && <ErrorLine error={address.error} />}
        {address.isPending && <Skeleton h={300} />}
        {address.data && file.kind === 'picture' && <img src={address.data} alt={file.name} />}
        {address.data && file.kind === 'pdf' && <iframe src={address.data} title={file.name} />}
      </div>
      <Group justify="space-between" mt={12}>
        <Text c="dimmed" fz="xs">
          {bytes(file.size)} · {file.ownerName}
        </Text>
        <Button variant="default" onClick={() => void download(file)}>
          Download
        </Button>
      </Group>
    </Dialog>
  )
}
