import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'

/** Requests of queues, senders, limits, reports and imports of mail. The host has no mail services, so they fail or find nothing. */
export const outgoingMail = {
  'mail-import.run': {
    ...{ mailboxId: 881_026, userId: 881_027, host: 'marker.example', port: 9931, login: 'markerlogin' },
    ...{ key: 'markerkey', since: 1_700_000_883, privateTargets: [] },
  },
  'mail-senders.read': {},
  'mail-reports.read': { taken: ['1-2'] },
  'mail-limits.ensure': {
    accounts: [{ accountId: 881_025, own: 8825, together: 8826, username: 'guest1', ownerId: 8829 }],
    others: { own: 8827, together: 8828 },
    domains: [{ domain: 'marker.example', ownerId: 8830 }],
  },
  'mail-sender.act': { sender: 'marker@other.example', act: 'hold' },
  'mail-queue.read': { most: 18 },
  'mail-guesses.read': { since: 1_700_000_882 },
  'mail-queue.act': { queueId: 'Marker1234', act: 'hold' },
} satisfies { [N in OperationName]?: OperationInput<N> }
