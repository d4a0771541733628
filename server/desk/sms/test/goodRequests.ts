import type { Good } from '../../../test/hostile/good.ts'

export const sms: Good<'sms'> = {
  createTemplate: { name: 'fresh-one', body: 'Dear {{firstName}}, {{what}} is ready', placeholders: ['what'] },
  updateTemplate: { name: 'outage', body: 'The server {{server}} is down since {{time}}' },
  removeTemplate: { name: 'spare' },
  send: { to: ['+4722000099'], body: 'Hello' },
  cancelMessage: ({ id }) => ({ id: id('sms_messages', 'A queued message') }),
  again: ({ id }) => ({ id: id('sms_messages', 'A failed message') }),
  cancelBatch: ({ id }) => ({ id: id('sms_batches', 'A scheduled message') }),
  acknowledge: ({ id }) => ({ id: id('sms_batches', 'web-1 is offline') }),
  updateSettings: { perDay: 30 },
  renewKey: {},
  test: { to: '+4722000098' },
  addOptOut: { number: '+4722000097' },
  removeOptOut: ({ id }) => ({ id: id('sms_opt_outs', '+4722000001') }),
}
