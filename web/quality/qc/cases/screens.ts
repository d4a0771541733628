import { screen } from '../../../domain.ts'

const escalations = { scope: 'qa:escalation:read', title: 'Escalations' } as const
const escalation = { scope: 'qa:escalation:read', title: 'Escalation' } as const
const feedbacks = { scope: 'qa:feedback:read', title: 'Feedbacks' } as const
const feedback = { ...feedbacks, title: 'Feedback' } as const
const statistics = { scope: 'qa:statistics:read', title: 'Statistics' } as const

/** Escalations, feedback and statistics of QC and QC V2. */
export const caseScreens = [
  screen('/qc/escalations', escalations, () => import('./EscalationsScreen.tsx')),
  screen('/qc/escalations/$escalationId', escalation, () => import('./EscalationScreen.tsx')),
  screen('/qc/feedbacks', feedbacks, () => import('./FeedbacksScreen.tsx')),
  screen('/qc/feedbacks/$feedbackId', feedback, () => import('./FeedbackScreen.tsx')),
  screen('/qc/statistics', statistics, () => import('../statistics/StatisticsScreen.tsx')),
  screen('/qc-v2/escalations', escalations, () => import('./EscalationsScreen.tsx')),
  screen('/qc-v2/chat-escalations/$id', escalation, () => import('./EscalationScreen.tsx')),
  screen('/qc-v2/ticket-escalations/$id', escalation, () => import('./EscalationScreen.tsx')),
  screen('/qc-v2/feedbacks', feedbacks, () => import('./FeedbacksScreen.tsx')),
  screen('/qc-v2/chat-feedbacks/$id', feedback, () => import('./FeedbackScreen.tsx')),
  screen('/qc-v2/ticket-feedbacks/$id', feedback, () => import('./FeedbackScreen.tsx')),
  screen('/qc-v2/statistics', statistics, () => import('../statistics/StatisticsScreen.tsx')),
  screen('/qc-v2/statistics/users/$userId', statistics, () => import('../statistics/UserStatisticsScreen.tsx')),
] as const
