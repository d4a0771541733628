import { files } from '@innkeeper/contract/desk/files'
import { bind } from '../../kit/api/client.ts'

export const filesApi = bind('files', files)
