export const mailbox = {
  'mailbox:mailbox:create': 'Create mail domains',
  'mailbox:user:create': 'Create mailboxes',
  'mailbox:user:update': 'Change mailboxes',
  'mailbox:user:delete': 'Delete mailboxes',
  'mailbox:mailbox:delete': 'Delete mail domains',
  'mailbox:mailbox:read': 'See mail domains',
  'mailbox:mailbox:toggle': 'Turn mail domains on and off',
} as const satisfies Record<`mailbox:${string}:${string}`, string>
