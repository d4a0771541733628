import type { StoredFile } from '@innkeeper/contract/desk/files'
import { IconArrowBackUp, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import type { List } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { download, removeFiles, restoreFiles } from './acts.ts'
import { filesApi } from './api.ts'
import { columnsOf, FileCard } from './columns.tsx'
import { FileDialogs } from './dialogs/FileDialogs.tsx'
import { FileActs, type FileDialog } from './FileActs.tsx'
import { canShow, kindOptions } from './words.tsx'

interface Props {
  name: string
  list: List<StoredFile>
  /** The list has files of several folders. */
  folders?: boolean
  empty: { title: string; text: ReactNode; action?: ReactNode }
}

/** List of files with row actions and bulk actions. */
export function FileTable({ name, list, folders, empty }: Props) {
  const [dialog, ask] = useState<FileDialog>()
  const open = (file: StoredFile) => (canShow(file) ? ask({ kind: 'show', file }) : void download(file))
  return (
    <>
      <ListTable
        elsewhere={['view']}
        name={name}
        noun={['file', 'files']}
        list={list}
        columns={columnsOf({ folders, onOpen: open })}
        card={(file) => <FileCard file={file} />}
        label={({ name: called }) => called}
        menu={(file) => <FileActs file={file} ask={ask} />}
        bulk={(rows, clear) => <Bulk rows={rows} clear={clear} ask={ask} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[{ key: 'kind', label: 'Kind', options: kindOptions }]}
        empty={{ ...empty, tag: 'FM' }}
      />
      <FileDialogs dialog={dialog} close={() => ask(undefined)} />
    </>
  )
}

function Bulk({ rows, clear, ask }: { rows: StoredFile[]; clear: () => void; ask: (dialog: FileDialog) => void }) {
  const lacking = useReason()
  const foreign = rows.find(({ mayChange }) => !mayChange)
  const locked = foreign && `${foreign.name}: only ${foreign.ownerName} or an administrator may change it.`
  const props = { size: 'xs', variant: 'default' } as const
  if (rows.some(({ deletedAt }) => deletedAt))
    return (
      <ActButton
        {...props}
        leftSection={<IconArrowBackUp size={14} />}
        reason={lacking(filesApi.restore) ?? locked}
        onClick={() => void restoreFiles(rows).then((done) => done && clear())}
      >
        Restore
      </ActButton>
    )
  return (
    <>
      <ActButton
        {...props}
        leftSection={<IconFolderSymlink size={14} />}
        reason={lacking(filesApi.update) ?? locked}
        onClick={() => ask({ kind: 'move', files: rows })}
      >
        Move…
      </ActButton>
      <ActButton
        {...props}
        leftSection={<IconTrash size={14} />}
        reason={lacking(filesApi.remove) ?? locked}
        onClick={() => void removeFiles(rows).then((done) => done && clear())}
      >
        Move to trash
      </ActButton>
    </>
  )
}
