import { useLocation } from '@tanstack/react-router'

/** Paths of the first set of screens (QC). QC V2 shows the same screens under other paths. */
const v1 = {
  escalation: { chat: '/qc/escalations/$escalationId', ticket: '/qc/escalations/$escalationId' },
  feedback: { chat: '/qc/feedbacks/$feedbackId', ticket: '/qc/feedbacks/$feedbackId' },
  chat: '/qc/chats/$chatId',
  queuedChat: '/qc/chats/$chatId',
  ticket: '/qc/tickets/$ticketId',
  chatQueue: '/qc/chats/queue',
  reviewChat: '/qc/chats/review',
  reviewTicket: '/qc/tickets/review/$ticketId',
  tags: '/qc-settings/tags',
  createTag: '/qc-settings/tags/create',
  tag: '/qc-settings/tags/update/$tagId',
  types: '/qc-settings/score/types',
  createType: '/qc-settings/score/types/create',
  type: '/qc-settings/score/types/update/$scoreTypeId',
  grades: '/qc-settings/score/grades',
  createGrade: '/qc-settings/score/grades/create',
  grade: '/qc-settings/score/grades/update/$scoreGradeId',
  cron: '/qc-settings/cron',
  createCron: '/qc-settings/cron/create',
  cronFilter: '/qc-settings/cron/edit/$id',
} as const
/** Paths of the second set of screens (QC V2). */
const v2 = {
  escalation: { chat: '/qc-v2/chat-escalations/$id', ticket: '/qc-v2/ticket-escalations/$id' },
  feedback: { chat: '/qc-v2/chat-feedbacks/$id', ticket: '/qc-v2/ticket-feedbacks/$id' },
  chat: '/qc-v2/chats/archive/$chatId',
  queuedChat: '/qc-v2/chats/queue/$chatId',
  ticket: '/qc-v2/tickets/$ticketId',
  chatQueue: '/qc-v2/chats/queue',
  reviewChat: '/qc-v2/chats/review',
  reviewTicket: '/qc-v2/tickets/review/$ticketId',
  tags: '/qc-settings-v2/tags',
  createTag: '/qc-settings-v2/tags/create',
  tag: '/qc-settings-v2/tags/$tagId',
  types: '/qc-settings-v2/scores/types',
  createType: '/qc-settings-v2/scores/types/create',
  type: '/qc-settings-v2/scores/types/$scoreTypeId',
  grades: '/qc-settings-v2/scores/grades',
  createGrade: '/qc-settings-v2/scores/grades/create',
  grade: '/qc-settings-v2/scores/grades/$scoreGradeId',
  cron: '/qc-settings-v2/ticket-cron-config',
  createCron: '/qc-settings-v2/ticket-cron-config/create',
  cronFilter: '/qc-settings-v2/ticket-cron-config/$id',
} as const
export type Paths = typeof v1 | typeof v2

/** The paths of the set of screens that is open. */
export const usePaths = (): Paths => {
  const isSecond = useLocation({ select: ({ pathname }) => /^\/qc(-settings)?-v2(\/|$)/.test(pathname) })
  return isSecond ? v2 : v1
}

/** The path of a row: `rowPath(paths.tag, 7)`. */
export const rowPath = (path: string, id: number): string => path.replace(/\$\w+/, String(id))
