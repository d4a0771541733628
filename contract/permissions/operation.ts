export const operation = {
  'operation:health:read': 'See the health of Innkeeper itself',
  'operation:health:update': 'Send test alerts, and remove stopped processes from the list',
} as const satisfies Record<`operation:${string}:${string}`, string>
