import type { Good } from '../hostile/good.ts'

export const notifications: Good<'notifications'> = {
  read: ({ id }) => ({ id: id('notifications') }),
}
