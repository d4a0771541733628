import { screen } from '../../../domain.ts'

const chat = { scope: 'qa:chat:read', title: 'Chat' } as const
const ticket = { scope: 'qa:ticket:read', title: 'Ticket' } as const
const forReviews = ['qa:score-type:read', 'qa:score-grade:read'] as const
const chatReview = { scope: 'qa:chat:review', needs: ['qa:chat:read', ...forReviews], title: 'Review' } as const
// the next ticket is rendered ahead
const ticketReview = {
  scope: 'qa:ticket:review',
  needs: ['qa:ticket:read', ...forReviews],
  title: 'Review',
  stays: true,
} as const

/** Chats and tickets of QC and QC V2. */
export const conversationScreens = [
  screen('/qc/chats', { scope: 'qa:chat:read', title: 'Chats' }, () => import('./ChatsScreen.tsx')),
  screen('/qc/chats/queue', { scope: 'qa:chat:read', title: 'Chat queue' }, () => import('./ChatQueueScreen.tsx')),
  screen('/qc/chats/review', chatReview, () => import('./ChatReviewScreen.tsx')),
  screen('/qc/chats/$chatId', chat, () => import('./ChatScreen.tsx')),
  screen('/qc/tickets', { scope: 'qa:ticket:read', title: 'Tickets' }, () => import('./TicketsScreen.tsx')),
  screen('/qc/tickets/review/$ticketId', ticketReview, () => import('./TicketReviewScreen.tsx')),
  screen('/qc/tickets/$ticketId', ticket, () => import('./TicketScreen.tsx')),
  screen('/qc-v2/chats/archive', { scope: 'qa:chat:read', title: 'Chat archive' }, () => import('./ChatsScreen.tsx')),
  screen('/qc-v2/chats/archive/$chatId', chat, () => import('./ChatScreen.tsx')),
  screen('/qc-v2/chats/queue', { scope: 'qa:chat:read', title: 'Chat queue' }, () => import('./ChatQueueScreen.tsx')),
  screen('/qc-v2/chats/queue/$chatId', chat, () => import('./ChatScreen.tsx')),
  screen(
    '/qc-v2/tickets/archive',
    { scope: 'qa:ticket:read', title: 'Ticket archive' },
    () => import('./TicketsScreen.tsx'),
  ),
  screen(
    '/qc-v2/tickets/queue',
    { scope: 'qa:ticket:read', title: 'Ticket queue' },
    () => import('./TicketQueueScreen.tsx'),
  ),
  screen('/qc-v2/chats/review', chatReview, () => import('./ChatReviewScreen.tsx')),
  screen('/qc-v2/tickets/review/$ticketId', ticketReview, () => import('./TicketReviewScreen.tsx')),
  screen('/qc-v2/tickets/$ticketId', ticket, () => import('./TicketScreen.tsx')),
] as const
