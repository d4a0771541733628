import { archiveImports } from '@innkeeper/contract/recovery/archiveImports/calls'
import { bind } from '../../kit/api/client.ts'

export const archiveImportsApi = bind('archiveImports', archiveImports)
