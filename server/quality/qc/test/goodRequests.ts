import type { Good, Rows } from '../../../test/hostile/good.ts'

const settings: Good<'qc'> = {
  createTag: { name: 'Fresh tag' },
  updateTag: ({ id }) => ({ id: id('qc_tags', 'Refund'), name: 'Refunds' }),
  removeTag: ({ id }) => ({ id: id('qc_tags', 'Refund') }),
  createGrade: { name: 'Fresh grade', value: 60 },
  updateGrade: ({ id }) => ({ id: id('qc_score_grades', 'Good'), value: 90 }),
  createType: ({ id }) => ({
    name: 'Fresh type',
    weight: 10,
    gradeIds: [id('qc_score_grades', 'Poor'), id('qc_score_grades', 'Good')],
  }),
  updateType: ({ id }) => ({ id: id('qc_score_types', 'Solution'), weight: 50 }),
}
const cron: Good<'qcCron'> = {
  createCronFilter: { name: 'Fresh filter', value: 'csat<=2' },
  updateCronFilter: ({ id }) => ({ id: id('qc_cron_filters', 'Unhappy'), value: 'csat<=1' }),
  removeCronFilter: ({ id }) => ({ id: id('qc_cron_filters', 'Unhappy') }),
}

type Kind = 'chat' | 'ticket'
const conversation = ({ id }: Rows, kind: Kind, state: string) => id('qc_conversations', `${kind}-${state}`)
const message = ({ id }: Rows, kind: Kind) => id('qc_messages', `${kind}-reviewed-2`)
const row = ({ id }: Rows, table: string, kind: Kind) => id(table, { kind })
const talk = ({ id }: Rows, type: string, kind: Kind) => id('qc_comments', `${type} on a ${kind}`)
const data = ({ id }: Rows) => ({
  scores: ['Solution', 'Security'].map((name) => ({
    scoreTypeId: id('qc_score_types', name),
    gradeId: id('qc_score_grades', 'Good'),
  })),
})
const target = (rows: Rows, kind: Kind, state: string) => {
  const id = conversation(rows, kind, state)
  return kind === 'chat' ? { chatId: id } : { ticketId: id }
}

const ofKind = (kind: Kind): Good<'qcChats'> => ({
  lease: (rows) => ({ id: conversation(rows, kind, 'queued') }),
  release: (rows) => ({ id: conversation(rows, kind, 'queued') }),
  saveDraft: (rows) => ({ id: conversation(rows, kind, 'queued'), data: data(rows) }),
  assign: (rows) => ({ id: conversation(rows, kind, 'queued'), assigneeId: 1 }),
  enqueue: (rows) => ({ id: conversation(rows, kind, 'new') }),
  submit: (rows) => ({ ...target(rows, kind, 'queued'), data: data(rows), sendStats: true }),
  updateReview: (rows) => ({ id: row(rows, 'qc_reviews', kind), data: data(rows) }),
  removeReview: (rows) => ({ id: row(rows, 'qc_reviews', kind) }),
  restoreReview: (rows) => ({ id: rows.id('qc_reviews', `Removed review of a ${kind}`) }),
  tag: (rows) => ({ id: conversation(rows, kind, 'queued'), tags: [rows.id('qc_tags', 'Refund')] }),
  comment: (rows) => ({ id: conversation(rows, kind, 'queued'), commentData: 'Seen' }),
  commentMessage: (rows) => ({ id: message(rows, kind), commentData: 'Seen' }),
  commentReview: (rows) => ({ id: row(rows, 'qc_reviews', kind), commentData: 'Seen' }),
  commentFeedback: (rows) => ({ id: row(rows, 'qc_feedbacks', kind), commentData: 'Seen' }),
  updateComment: (rows) => ({ id: talk(rows, 'Comment', kind), content: 'Seen again' }),
  removeComment: (rows) => ({ id: talk(rows, 'Comment', kind) }),
  note: (rows) => ({ id: conversation(rows, kind, 'queued'), noteData: 'Seen' }),
  updateNote: (rows) => ({ noteId: talk(rows, 'Note', kind), content: 'Seen again' }),
  removeNote: (rows) => ({ noteId: talk(rows, 'Note', kind) }),
  escalate: (rows) => ({ ...target(rows, kind, 'queued'), escalationDTO: { reason: 'Lost' } }),
  escalationStatus: (rows) => ({ id: row(rows, 'qc_escalations', kind), status: 'in-progress' }),
  giveFeedback: (rows) => ({ ...target(rows, kind, 'reviewed'), feedback: 'Too strict' }),
  updateFeedback: (rows) => ({ id: row(rows, 'qc_feedbacks', kind), feedback: 'Far too strict' }),
  feedbackStatus: (rows) => ({ id: row(rows, 'qc_feedbacks', kind), status: 'in-progress' }),
})

export const qc: Good<'qc'> = {
  ...settings,
  reviewChat: (rows) => ({ id: conversation(rows, 'chat', 'queued'), data: data(rows) }),
  reviewTicket: (rows) => ({ id: conversation(rows, 'ticket', 'queued'), data: data(rows) }),
  syncChats: {},
  clearChats: {},
  noteChat: (rows) => ({ id: conversation(rows, 'chat', 'queued'), noteData: 'Seen' }),
  noteTicket: (rows) => ({ id: conversation(rows, 'ticket', 'queued'), noteData: 'Seen' }),
  updateNote: (rows) => ({ id: talk(rows, 'Note', 'chat'), content: 'Seen again' }),
  removeNote: (rows) => ({ id: talk(rows, 'Note', 'chat') }),
  commentChat: (rows) => ({ id: conversation(rows, 'chat', 'queued'), commentData: 'Seen' }),
  commentMessage: (rows) => ({ id: message(rows, 'chat'), commentData: 'Seen' }),
  commentTicket: (rows) => ({ id: conversation(rows, 'ticket', 'queued'), commentData: 'Seen' }),
  commentReply: (rows) => ({ id: message(rows, 'ticket'), commentData: 'Seen' }),
  updateComment: (rows) => ({ id: talk(rows, 'Comment', 'chat'), content: 'Seen again' }),
  removeComment: (rows) => ({ id: talk(rows, 'Comment', 'chat') }),
  escalateChat: (rows) => ({ id: conversation(rows, 'chat', 'queued') }),
  escalateTicket: (rows) => ({ id: conversation(rows, 'ticket', 'queued') }),
  updateEscalation: (rows) => ({ id: row(rows, 'qc_escalations', 'chat'), reviewData: data(rows) }),
  escalationStatus: (rows) => ({ id: row(rows, 'qc_escalations', 'chat'), status: 'in-progress' }),
  feedbackOnChat: (rows) => ({ id: conversation(rows, 'chat', 'reviewed'), feedback: 'Too strict' }),
  feedbackOnTicket: (rows) => ({ id: conversation(rows, 'ticket', 'reviewed'), feedback: 'Too strict' }),
  feedbackStatus: (rows) => ({ id: row(rows, 'qc_feedbacks', 'chat'), status: 'in-progress' }),
}
export const qcSettings: Good<'qcSettings'> = { ...settings, updateQueue: { kind: 'chat', quota: 5 } }
export const qcChats = ofKind('chat')
export const qcTickets: Good<'qcTickets'> = { ...ofKind('ticket'), ...cron }
export const qcCron = cron
export const qcChecks: Good<'qcChecks'> = {
  createCheck: { name: 'Fresh rule', check: 'forbidden', words: ['obviously'] },
  updateCheck: ({ id }) => ({ id: id('qc_check_rules', 'Greets'), words: ['good day'] }),
  removeCheck: ({ id }) => ({ id: id('qc_check_rules', 'Greets') }),
}
export const qcReviewers: Good<'qcReviewers'> = {
  updateReviewer: ({ id }) => ({ id: id('users', 'rita'), weeklyGoal: 20 }),
}
export const qcMine: Good<'qcMine'> = {
  answerReview: (rows) => ({
    id: rows.id('qc_reviews', { kind: 'ticket', agent_id: 1 }),
    feedback: 'I see it differently',
  }),
  withdrawDispute: (rows) => ({ id: rows.id('qc_reviews', { kind: 'chat', agent_id: 1 }) }),
}
export const qcCalibrations: Good<'qcCalibrations'> = {
  createCalibration: (rows) => ({
    conversationId: conversation(rows, 'chat', 'open'),
    title: 'Fresh calibration',
    participants: [1, rows.id('users', 'rita')],
  }),
  submitCalibration: (rows) => ({ id: rows.id('qc_calibrations', 'Tone of chats'), data: data(rows) }),
  closeCalibration: (rows) => ({ id: rows.id('qc_calibrations', 'Tone of chats') }),
}
export const qcCustomers: Good<'qcCustomers'> = {
  exportCustomer: { email: 'ola@customer.example' },
  eraseCustomer: { email: 'ola@customer.example' },
}
export const qcSources: Good<'qcSources'> = {
  createSource: { name: 'Fresh source', type: 'rt', config: { url: 'http://127.0.0.1:9/rt' }, secret: 'fresh-secret' },
  pullSource: ({ id }) => ({ id: id('qc_sources', 'Ticket desk') }),
  updateSource: ({ id }) => ({ id: id('qc_sources', 'Help desk'), name: 'Desk' }),
  renewKey: ({ id }) => ({ id: id('qc_sources', 'Help desk') }),
  importFile: ({ id }) => ({ id: id('qc_sources', 'Help desk') }),
  mapIdentity: ({ id }) => ({ id: id('qc_identities', 'mari'), userId: 1 }),
}
