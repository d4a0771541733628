import { servers } from '@innkeeper/contract/servers'
import { bind } from '../kit/api/client.ts'

const { practice, useThisMachine, ...calls } = servers

export const serversApi = bind('servers', calls)
/** Its own domain, as the server's hints name it: it changes while practice servers come up. */
export const practiceApi = bind('practice', { practice, here: useThisMachine })
