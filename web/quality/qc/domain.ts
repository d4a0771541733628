import { type Domain, group, item } from '../../domain.ts'
import { caseScreens } from './cases/screens.ts'
import { conversationScreens } from './conversations/screens.ts'
import { mineScreens } from './mine/screens.ts'
import { settingScreens } from './settings/screens.ts'

export const qc = {
  screens: [...conversationScreens, ...caseScreens, ...settingScreens, ...mineScreens],
  area: 'Support quality',
  menu: [
    ...group('QC', [
      item(11, 'Chat archive', '/qc/chats', 'qa:chat:read'),
      item(12, 'Escalations', '/qc/escalations', 'qa:escalation:read'),
      item(13, 'Feedbacks', '/qc/feedbacks', 'qa:feedback:read'),
      item(14, 'Queue', '/qc/chats/queue', 'qa:chat:read', ['/qc/chats/review', '/qc-settings/chats/queue']),
      item(15, 'Tickets', '/qc/tickets', 'qa:ticket:read'),
      item(16, 'Tags', '/qc-settings/tags', 'qa:tag:read'),
      item(
        17,
        'Scores',
        '/qc-settings/score/types',
        ['qa:score-type:read', 'qa:score-grade:read'],
        ['/qc-settings/score/grades'],
      ),
      item(18, 'Statistics', '/qc/statistics', 'qa:statistics:read'),
      item(20, 'Cron settings', '/qc-settings/cron', 'qa:cron:read'),
    ]),
    ...group('QC V2', [
      item(35, 'Chat archive', '/qc-v2/chats/archive', 'qa:chat:read'),
      item(36, 'Chat queue', '/qc-v2/chats/queue', 'qa:chat:read', ['/qc-v2/chats/review']),
      item(37, 'Ticket archive', '/qc-v2/tickets/archive', 'qa:ticket:read', ['/qc-v2/tickets']),
      item(38, 'Ticket queue', '/qc-v2/tickets/queue', 'qa:ticket:read'),
      item(39, 'Feedbacks', '/qc-v2/feedbacks', 'qa:feedback:read', [
        '/qc-v2/chat-feedbacks',
        '/qc-v2/ticket-feedbacks',
      ]),
      item(40, 'Escalations', '/qc-v2/escalations', 'qa:escalation:read', [
        '/qc-v2/chat-escalations',
        '/qc-v2/ticket-escalations',
      ]),
      item(41, 'Statistics', '/qc-v2/statistics', 'qa:statistics:read'),
      item(41.1, 'My quality', '/qc-v2/mine', 'signedIn'),
      item(41.2, 'Calibrations', '/qc-v2/calibrations', ['qa:score-type:read', 'qa:score-grade:read']),
    ]),
    ...group('QC V2 / Settings', [
      item(42, 'Scores', '/qc-settings-v2/scores', ['qa:score-type:read', 'qa:score-grade:read']),
      item(43, 'Tags', '/qc-settings-v2/tags', 'qa:tag:read'),
      item(44, 'Ticket cron config', '/qc-settings-v2/ticket-cron-config', 'qa:cron:read'),
      item(44.1, 'Automatic checks', '/qc-settings-v2/checks', 'qa:check:read'),
      item(44.2, 'Reviewers', '/qc-settings-v2/reviewers', 'qa:manager:access'),
      item(44.3, 'Sources', '/qc-settings-v2/sources', 'qa:manager:access', ['/qc-settings-v2/identities']),
      item(44.4, 'Customer data', '/qc-settings-v2/customers', 'qa:manager:access'),
    ]),
  ],
  waits: [
    {
      name: 'chats',
      at: 50,
      reads: 'qa:chat:review',
      noun: ['chat to review', 'chats to review'],
      to: '/qc/chats/queue',
      load: () => import('./conversations/chatsWaiting.ts'),
    },
    {
      name: 'tickets',
      at: 55,
      reads: 'qa:ticket:review',
      noun: ['ticket to review', 'tickets to review'],
      to: '/qc-v2/tickets/queue',
      load: () => import('./conversations/ticketsWaiting.ts'),
    },
    {
      name: 'disputes',
      at: 57,
      reads: ['qa:feedback:read', 'qa:feedback:status'],
      noun: ['dispute to decide', 'disputes to decide'],
      to: '/qc-v2/feedbacks?type=dispute&status=open,in-progress',
      load: () => import('./cases/disputesWaiting.ts'),
    },
  ],
} satisfies Domain
