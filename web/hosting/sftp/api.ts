import { sftp } from '@innkeeper/contract/hosting/sftp'
import { bind } from '../../kit/api/client.ts'

export const sftpApi = bind('sftp', sftp)
