import { sftp } from '@innkeeper/contract/sftp'
import { bind } from '../kit/api/client.ts'

export const sftpApi = bind('sftp', sftp)
