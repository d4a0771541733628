import { files } from '@innkeeper/contract/files'
import { bind } from '../kit/client.ts'

export const filesApi = bind('files', files)
