import type { StoredFile } from '@innkeeper/contract/desk/files'
import { Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconDownload,
  IconEye,
  IconFolderSymlink,
  IconHistory,
  IconLock,
  IconPencil,
  IconTrash,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { download, hideFile, purgeFiles, removeFiles, restoreFiles } from './acts.ts'
import { filesApi } from './api.ts'
import { canShow } from './words.tsx'

/** Dialog of a file action; it stays open after the menu has closed. */
export type FileDialog =
  | { kind: 'show' | 'rename' | 'access' | 'downloads'; file: StoredFile }
  | { kind: 'move'; files: StoredFile[] }

/** Actions on a file. */
export function FileActs({ file, ask }: { file: StoredFile; ask: (dialog: FileDialog) => void }) {
  const lacking = useReason()
  const me = useSession()
  const foreign = file.mayChange ? undefined : `Only ${file.ownerName} or an administrator may change it.`
  const ownersOnly =
    file.ownerId === me.id || me.isAdmin ? undefined : `Only ${file.ownerName} or an administrator may do that.`
  if (file.deletedAt)
    return (
      <>
        <MenuAction
          label="Restore"
          icon={<IconArrowBackUp size={15} />}
          reason={lacking(filesApi.restore) ?? foreign}
          onClick={() => void restoreFiles([file])}
        />
        <MenuAction
          label="Delete for good…"
          danger
          icon={<IconTrash size={15} />}
          reason={lacking(filesApi.purge) ?? foreign}
          onClick={() => void purgeFiles([file])}
        />
      </>
    )
  return (
    <>
      <MenuAction
        label="Show"
        icon={<IconEye size={15} />}
        reason={canShow(file) ? undefined : 'Pictures and PDF are shown here. All else is downloaded.'}
        onClick={() => ask({ kind: 'show', file })}
      />
      <MenuAction label="Download" icon={<IconDownload size={15} />} onClick={() => void download(file)} />
      <MenuAction
        label="Rename…"
        icon={<IconPencil size={15} />}
        reason={lacking(filesApi.update) ?? foreign}
        onClick={() => ask({ kind: 'rename', file })}
      />
      <MenuAction
        label="Move…"
        icon={<IconFolderSymlink size={15} />}
        reason={lacking(filesApi.update) ?? foreign}
        onClick={() => ask({ kind: 'move', files: [file] })}
      />
      <MenuAction
        label={file.isPrivate ? 'Make public…' : 'Make private'}
        icon={file.isPrivate ? <IconWorld size={15} /> : <IconLock size={15} />}
        reason={lacking(filesApi.update) ?? ownersOnly}
        onClick={() => void hideFile(file)}
      />
      <MenuAction
        label="Who can open it…"
        icon={<IconUsers size={15} />}
        reason={lacking(filesApi.openers)}
        onClick={() => ask({ kind: 'access', file })}
      />
      <MenuAction
        label="Download log…"
        icon={<IconHistory size={15} />}
        reason={lacking(filesApi.downloads) ?? foreign}
        onClick={() => ask({ kind: 'downloads', file })}
      />
      <Menu.Divider />
      <MenuAction
        label="Move to trash"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(filesApi.remove) ?? foreign}
        onClick={() => void removeFiles([file])}
      />
    </>
  )
}
