import { sftp } from '@innkeeper/contract/sftp'
import { bind } from '../kit/client.ts'

export const sftpApi = bind('sftp', sftp)
