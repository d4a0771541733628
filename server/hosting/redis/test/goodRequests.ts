import type { Good } from '../../../test/hostile/good.ts'

export const redis: Good<'redis'> = {
  enable: ({ id }) => ({ website_id: id('websites', { kind: 'staging' }) }),
  disable: ({ id }) => ({ website_id: id('websites', 'cached.example.org') }),
}
