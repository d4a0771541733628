import { missing } from '@innkeeper/contract/kit/access'
import { useSession } from '../../../kit/access/session.ts'
import { filesApi } from '../api.ts'

/** Whether the person may drop files; the Upload button names missing scopes. */
export const useMayUpload = (): boolean => missing(useSession(), filesApi.upload.endpoint.access).length === 0
