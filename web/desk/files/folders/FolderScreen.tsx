import { Button, Text } from '@mantine/core'
import { IconFolderPlus, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { filesApi } from '../api.ts'
import { FileTable } from '../FileTable.tsx'
import { DropZone } from '../uploads/DropZone.tsx'
import { UploadButton } from '../uploads/UploadButton.tsx'
import { UploadTray } from '../uploads/UploadTray.tsx'
import { addUploads } from '../uploads/uploads.ts'
import { useMayUpload } from '../uploads/useMayUpload.ts'
import { Crumbs } from './Crumbs.tsx'
import { FolderStrip } from './FolderStrip.tsx'
import { useFolderId } from './useFolderId.ts'

const FolderModal = lazyPart<{ parent?: { id: number; hidden: boolean }; close: () => void }>(
  () => import('../dialogs/FolderModal.tsx'),
  () => null,
)

/** One folder: breadcrumb, subfolders and files. */
export default function FolderScreen() {
  const id = useFolderId()
  const input = { itemsPerPage: 1 }
  const place = useQuery<Awaited<ReturnType<typeof filesApi.root>>>(
    id === null ? filesApi.root.query(input) : filesApi.folder.query({ ...input, id }),
  )
  const list = useList(filesApi.list, {
    filters: ['search', 'kind'],
    fixed: { folderId: id ?? 'root' },
    enabled: place.isSuccess,
  })
  const [isPrivate, setPrivate] = useState(true)
  const [making, setMaking] = useState(false)
  const mayUpload = useMayUpload()
  const lacking = useReason()(filesApi.createFolder)
  const folder = place.data?.folder ?? undefined
  const hidden = folder?.hidden ?? false
  const name = place.data?.name ?? 'Files'
  const add = (files: File[]) =>
    addUploads(files, { isPrivate: isPrivate && !hidden, ...(folder && { folderId: folder.id }) })
  return (
    <Screen
      scroll={false}
      title={name}
      query={place}
      badge={hidden && <IconLock size={16} color="var(--ink-faint)" aria-label="private" />}
      meta={
        folder ? <Crumbs parents={place.data?.parents ?? []} top="Files" /> : <Text span>All folders of the house</Text>
      }
      actions={
        <>
          <ActButton
            variant="default"
            leftSection={<IconFolderPlus size={15} />}
            reason={lacking}
            onClick={() => setMaking(true)}
          >
            New folder
          </ActButton>
          <UploadButton isPrivate={isPrivate} setPrivate={setPrivate} hidden={hidden} onFiles={add} />
        </>
      }
    >
      <DropZone where={`into ${name}`} onFiles={mayUpload ? add : undefined}>
        <FolderStrip folders={place.data?.folders ?? []} />
        <FileTable
          name="folder"
          list={list}
          empty={{
            title: 'No file in here',
            text: 'Drop files on this page, or choose Upload.',
            action: !lacking && place.data?.folders.length === 0 && (
              <Button variant="default" onClick={() => setMaking(true)}>
                New folder
              </Button>
            ),
          }}
        />
      </DropZone>
      {making && (
        <FolderModal parent={folder && { id: folder.id, hidden: folder.hidden }} close={() => setMaking(false)} />
      )}
      <UploadTray />
    </Screen>
  )
}
