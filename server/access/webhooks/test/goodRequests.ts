import type { Good, Rows } from '../../../test/hostile/good.ts'

const hook = ({ id }: Rows) => id('webhooks', { name: 'builds' })

export const webhooks: Good<'webhooks'> = {
  create: { name: 'tickets', url: 'https://93.184.215.14/hook', domains: ['bugs'] },
  update: (rows) => ({ id: hook(rows), name: 'Builds', state: 'paused' }),
  rotate: (rows) => ({ id: hook(rows), oldValidHours: 1 }),
  test: (rows) => ({ id: hook(rows) }),
  remove: ({ id }) => ({ id: id('webhooks', { name: 'goes' }) }),
  resend: (rows) => ({ id: hook(rows), delivery: rows.id('webhook_deliveries', { state: 'failed' }) }),
}
