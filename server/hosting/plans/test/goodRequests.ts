import type { Good } from '../../../test/hostile/good.ts'

export const plans: Good<'plans'> = {
  create: { name: 'Fresh', cpuPercent: 8, mailboxes: 3 },
  update: ({ id }) => ({ id: id('plans', 'Business'), cpuPercent: 200, exceeding: 'keep' }),
  remove: ({ id }) => ({ id: id('plans', 'Agency') }),
}
