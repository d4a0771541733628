import { missing } from '@innkeeper/contract/kit/access'
import { useSession } from '../../kit/access/session.ts'
import { filesApi } from './api.ts'
import FolderScreen from './folders/FolderScreen.tsx'
import { PublicFolder } from './visitors/PublicFolder.tsx'

/** `/files-manager` has no guard: people with the scope see their files, all others see public files. */
export default function FilesScreen() {
  const user = useSession()
  const browses = user.jwt !== '' && missing(user, filesApi.root.endpoint.access).length === 0
  return browses ? <FolderScreen /> : <PublicFolder />
}
