import { lazyPart } from '../kit/lazyScreen.tsx'
import type { FileDialog } from './FileActs.tsx'

const none = () => null
const ShowModal = lazyPart(() => import('./ShowModal.tsx'), none)
const RenameModal = lazyPart(() => import('./RenameModal.tsx'), none)
const AccessModal = lazyPart(() => import('./AccessModal.tsx'), none)
const DownloadsModal = lazyPart(() => import('./DownloadsModal.tsx'), none)
const MoveModal = lazyPart(() => import('./MoveModal.tsx'), none)

/** The dialogs of files, each fetched when it is asked for. */
export function FileDialogs({ dialog, close }: { dialog: FileDialog | undefined; close: () => void }) {
  switch (dialog?.kind) {
    case 'show':
      return <ShowModal file={dialog.file} close={close} />
    case 'rename':
      return <RenameModal file={dialog.file} close={close} />
    case 'access':
      return <AccessModal file={dialog.file} close={close} />
    case 'downloads':
      return <DownloadsModal file={dialog.file} close={close} />
    case 'move':
      return <MoveModal files={dialog.files} close={close} />
    default:
      return null
  }
}
