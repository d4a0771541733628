import type { Folder } from '@innkeeper/contract/desk/files'
import { ActionIcon, Menu, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconDots,
  IconFolder,
  IconFolderSymlink,
  IconLock,
  IconPencil,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { hideFolder, removeFolder } from '../acts.ts'
import { filesApi } from '../api.ts'
import css from '../Files.module.css'

const none = () => null
const FolderModal = lazyPart<{ folder: Folder; close: () => void }>(() => import('../dialogs/FolderModal.tsx'), none)
const MoveModal = lazyPart<{ folder: Folder; close: () => void }>(() => import('../dialogs/MoveModal.tsx'), none)

/** Subfolders, shown above the files. */
export function FolderStrip({ folders, trashed }: { folders: readonly Folder[]; trashed?: boolean }) {
  const [dialog, ask] = useState<{ kind: 'rename' | 'move'; folder: Folder }>()
  const close = () => ask(undefined)
  if (!folders.length) return null
  return (
    <>
      <ul className={css.folders} aria-label="Folders">
        {folders.map((folder) => (
          <li key={folder.id} className={css.folder}>
            {trashed ? (
              <Text px={12} truncate style={{ flex: 1 }}>
                {folder.name}
              </Text>
            ) : (
              <Link to="/files-manager/$folderId" params={{ folderId: String(folder.id) }} title={folder.name}>
                <IconFolder size={17} stroke={1.5} style={{ flex: 'none' }} aria-hidden />
                <Text truncate>{folder.name}</Text>
                {folder.hidden && (
                  <IconLock size={13} color="var(--ink-faint)" aria-label="private" style={{ flex: 'none' }} />
                )}
              </Link>
            )}
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={`Actions on ${folder.name}`}>
                  <IconDots size={15} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {trashed ? (
                  <TakeBack folder={folder} />
                ) : (
                  <Acts folder={folder} ask={(kind) => ask({ kind, folder })} />
                )}
              </Menu.Dropdown>
            </Menu>
          </li>
        ))}
      </ul>
      {dialog?.kind === 'rename' && <FolderModal folder={dialog.folder} close={close} />}
      {dialog?.kind === 'move' && <MoveModal folder={dialog.folder} close={close} />}
    </>
  )
}

function TakeBack({ folder: { id } }: { folder: Folder }) {
  return (
    <MenuAction
      label="Restore"
      icon={<IconArrowBackUp size={15} />}
      reason={useReason()(filesApi.restoreFolder)}
      onClick={() => void attempt(() => filesApi.restoreFolder({ id }), ['files'])}
    />
  )
}

function Acts({ folder, ask }: { folder: Folder; ask: (kind: 'rename' | 'move') => void }) {
  const lacking = useReason()
  const me = useSession()
  const change = lacking(filesApi.updateFolder)
  const ownersOnly =
    folder.ownerId === me.id || me.isAdmin ? undefined : `Only ${folder.ownerName} or an administrator may do that.`
  return (
    <>
      <MenuAction label="Rename…" icon={<IconPencil size={15} />} reason={change} onClick={() => ask('rename')} />
      <MenuAction label="Move…" icon={<IconFolderSymlink size={15} />} reason={change} onClick={() => ask('move')} />
      <MenuAction
        label={folder.private ? 'Make public…' : 'Make private…'}
        icon={folder.private ? <IconWorld size={15} /> : <IconLock size={15} />}
        reason={change ?? ownersOnly}
        onClick={() => void hideFolder(folder)}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(filesApi.removeFolder)}
        onClick={() => void removeFolder(folder)}
      />
    </>
  )
}
