export const sms = {
  'sms:template:create': 'Create SMS templates',
  'sms:template:read': 'See SMS templates',
  'sms:template:update': 'Change SMS templates',
  'sms:template:delete': 'Delete SMS templates',
  'sms:message:create': 'Create SMS messages',
  'sms:message:read': 'See SMS messages',
  'sms:settings:update': 'Change the SMS gateway, which receives all texts, and who gets alerts',
} as const satisfies Record<`sms:${string}:${string}`, string>
