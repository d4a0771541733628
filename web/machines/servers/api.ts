import { servers } from '@innkeeper/contract/machines/servers/calls'
import { bind } from '../../kit/api/client.ts'

const { practice, addPractice, useThisMachine, ...calls } = servers

export const serversApi = bind('servers', calls)
/** Bound to the domain `practice`, whose hints arrive while practice servers start. */
export const practiceApi = bind('practice', { practice, add: addPractice, here: useThisMachine })
