import type { Good } from '../../../test/hostile/good.ts'

export const notifications: Good<'notifications'> = {
  read: ({ id }) => ({ id: id('notifications') }),
}
