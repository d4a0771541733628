import { missing } from '@innkeeper/contract/access'
import { useSession } from '../kit/access/session.ts'
import { filesApi } from './api.ts'
import FolderScreen from './FolderScreen.tsx'
import { PublicFolder } from './PublicFolder.tsx'

/** `/files-manager` has no guard: who may browse sees what is theirs to see, all others what is public. */
export default function FilesScreen() {
  const user = useSession()
  const browses = user.jwt !== '' && missing(user, filesApi.root.endpoint.access).length === 0
  return browses ? <FolderScreen /> : <PublicFolder />
}
