import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const redisEnsure = action('redis.ensure', operations['redis.ensure'], {
  title: 'Redis cache',
  what: ({ memoryMb, state }) =>
    state === 'active' ? `${memoryMb} MB, own socket` : 'stopped until it is needed again',
})
export const redisRemove = action('redis.remove', operations['redis.remove'], {
  title: 'Redis cache',
  what: () => 'is removed with its content',
})
