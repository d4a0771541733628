import { IconFolders } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { Views } from '../../kit/list/Views.tsx'
import { filesApi } from './api.ts'
import { FileTable } from './FileTable.tsx'
import { FolderStrip } from './folders/FolderStrip.tsx'
import { DropZone } from './uploads/DropZone.tsx'
import { UploadButton } from './uploads/UploadButton.tsx'
import { UploadTray } from './uploads/UploadTray.tsx'
import { addUploads } from './uploads/uploads.ts'
import { useMayUpload } from './uploads/useMayUpload.ts'

const views = [
  { name: 'Mine', filters: { view: ['mine'] } },
  { name: 'Shared with me', filters: { view: ['shared'] } },
  { name: 'Trash', filters: { view: ['trash'] } },
]
const nothing: Record<string, { title: string; text: string }> = {
  all: { title: 'No file yet', text: 'Drop files here, or choose Upload. They are private until you say otherwise.' },
  mine: { title: 'You have no file yet', text: 'Drop files here, or choose Upload.' },
  shared: {
    title: 'Nothing is shared with you',
    text: 'When somebody opens a private file to you, your role or your department, it is here.',
  },
  trash: { title: 'The trash is empty', text: 'Deleted files stay here for 30 days.' },
}

/** All files that the person may open, from every folder. */
export default function IfmScreen() {
  const list = useList(filesApi.list, { filters: ['search', 'kind', 'view'] })
  const [isPrivate, setPrivate] = useState(true)
  const view = list.filters.view?.[0] ?? 'all'
  const trash = useQuery({ ...filesApi.trashedFolders.query(), enabled: view === 'trash' })
  const add = (files: File[]) => addUploads(files, { isPrivate })
  const mayUpload = useMayUpload()
  return (
    <Screen
      scroll={false}
      title="Internal file manager"
      count={listCount(list)}
      actions={
        <>
          <LinkButton to="/files-manager" variant="default" leftSection={<IconFolders size={15} />}>
            Folders
          </LinkButton>
          <UploadButton isPrivate={isPrivate} setPrivate={setPrivate} onFiles={add} />
        </>
      }
      tabs={<Views name="files" list={list} views={views} />}
    >
      <DropZone
        where={isPrivate ? 'as private files' : 'as public files'}
        onFiles={mayUpload && view !== 'trash' ? add : undefined}
      >
        {view === 'trash' && <FolderStrip folders={trash.data ?? []} trashed />}
        <FileTable name="files" folders list={list} empty={nothing[view] ?? { title: 'No file', text: '' }} />
      </DropZone>
      <UploadTray />
    </Screen>
  )
}
