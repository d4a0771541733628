import { groupOf, moves } from '@innkeeper/contract/hosting/moves/calls'
import { bind } from '../../kit/api/client.ts'

export const movesApi = bind('moves', moves)

/**
 * Moves of the target group if there is one, else of the source group. The id -1 or undefined means no group and sends
 * no request.
 */
export const movesOfGroups = (sourceGroupId?: number, targetGroupId?: number) =>
  movesApi.ofGroup.query({ groupId: groupOf(sourceGroupId, targetGroupId), sourceGroupId, targetGroupId })
