import { groupOf, moves } from '@innkeeper/contract/moves'
import { bind } from '../kit/api/client.ts'

export const movesApi = bind('moves', moves)

/** Of the target group where there is one, else of the source group; -1 and nothing mean none, and then nothing is asked. */
export const movesOfGroups = (sourceGroupId?: number, targetGroupId?: number) =>
  movesApi.ofGroup.query({ groupId: groupOf(sourceGroupId, targetGroupId), sourceGroupId, targetGroupId })
