import { missing } from '@innkeeper/contract/access'
import { useSession } from '../kit/access/session.ts'
import { filesApi } from './api.ts'

/** For what is dropped; the button says what is missing. */
export const useMayUpload = (): boolean => missing(useSession(), filesApi.upload.endpoint.access).length === 0
