import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import type { FileDialog } from '../FileActs.tsx'

const ShowModal = lazyDialog(() => import('./ShowModal.tsx'))
const RenameModal = lazyDialog(() => import('./RenameModal.tsx'))
const AccessModal = lazyDialog(() => import('./AccessModal.tsx'))
const DownloadsModal = lazyDialog(() => import('./DownloadsModal.tsx'))
const MoveModal = lazyDialog(() => import('./MoveModal.tsx'))

/** Dialogs of file actions, each loaded when it opens. */
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
