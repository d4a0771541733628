import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import type { UserDialog } from '../UserActs.tsx'

const LinkModal = lazyDialog(() => import('./LinkModal.tsx'))
const PasswordModal = lazyDialog(() => import('./PasswordModal.tsx'))
const DeleteModal = lazyDialog(() => import('./DeleteModal.tsx'))
const RecoverModal = lazyDialog(() => import('./RecoverModal.tsx'))
const AssignModal = lazyDialog(() => import('../../roles/AssignModal.tsx'))

interface Props {
  dialog: UserDialog | undefined
  close: () => void
  /** Called after the account is deleted. */
  onDeleted?: () => void
}

/** The dialogs of user accounts, each loaded on demand. */
export function UserDialogs({ dialog, close, onDeleted }: Props) {
  switch (dialog?.kind) {
    case 'link':
      return <LinkModal user={dialog.user} link={dialog.link} close={close} />
    case 'password':
      return <PasswordModal user={dialog.user} close={close} />
    case 'delete':
      return <DeleteModal user={dialog.user} close={close} onDeleted={onDeleted} />
    case 'recover':
      return <RecoverModal user={dialog.user} close={close} />
    case 'assign':
      return <AssignModal users={dialog.users} close={close} />
    default:
      return null
  }
}
