import type { ScreenFixture } from '../../../test/screenFixture.ts'

const conversation = (kind: 'chat' | 'ticket', id: string) => ({
  ...{
    kind,
    id,
    subject: 'The shop answers 502',
    customer: { name: 'Mari Tveit', email: 'mari@customer.example' },
    csat: 2,
  },
  messages: [
    {
      id: '1',
      at: '2026-11-20T10:00:00Z',
      author: { name: 'Mari Tveit', role: 'customer' },
      text: 'The shop answers 502.',
    },
    { id: '2', at: '2026-11-20T10:07:00Z', author: { name: 'Ada Berg', role: 'agent' }, text: 'I restarted PHP.' },
  ],
})

export const fixture: ScreenFixture = async ({ post }) => {
  const v2 = '/qa-controller-v2'
  const { id: tagId } = await post(`${v2}/tags`, { name: 'Shown', colour: 'info' })
  const low = await post(`${v2}/score/grades`, { name: 'Poor', value: 0, colour: 'error', needsComment: true })
  const { id: scoreGradeId } = await post(`${v2}/score/grades`, { name: 'Good', value: 80, colour: 'success' })
  const gradeIds = [low.id, scoreGradeId]
  const { id: scoreTypeId } = await post(`${v2}/score/types`, { name: 'Solution', weight: 40, gradeIds })
  const { id } = await post('/ticket-controller/cron', { name: 'Shown', value: 'csat<=2' })
  const rule = await post(`${v2}/checks`, { name: 'Shown', check: 'greeting', words: ['hello'], scoreTypeId })
  const source = await post(`${v2}/sources`, { name: 'Shown' })
  const shown = (['chat', 'ticket'] as const).flatMap((kind) =>
    ['read', 'review'].map((n) => JSON.stringify(conversation(kind, `${kind}-${n}`))),
  )
  await post(`${v2}/sources/${source.id}/file`, new Blob([shown.join('\n')]))
  const escalation = await post('/qa-controller/escalation/chat/1', { escalationDTO: { reason: 'Data was lost' } })
  const ofTicket = await post('/qa-controller/escalation/ticket/3', { escalationDTO: { reason: 'Data was lost' } })
  const feedback = await post('/qa-controller/feedback/chat/1', { feedback: 'The customer had a point.' })
  const onTicket = await post('/qa-controller/feedback/ticket/3', { feedback: 'The customer had a point.' })
  const desk = await post(`${v2}/sources`, {
    ...{ name: 'Ticket desk', type: 'rt', config: { url: 'http://127.0.0.1:9' }, secret: 'shown' },
  })
  const reader = await post('/auth/roles', { name: 'Readers of chats', scopes: ['qa:chat:read'] })
  const participants: number[] = []
  for (const username of ['cala', 'bratt']) {
    const person = {
      username,
      email: `${username}@example.org`,
      firstName: username,
      lastName: 'Moe',
      roleId: reader.id,
    }
    participants.push((await post('/auth/users', person)).id)
  }
  const calibration = await post(`${v2}/calibrations`, { conversationId: 1, title: 'Tone', participants })
  return {
    '/qc-settings-v2/checks/$checkId': { checkId: rule.id },
    '/qc-settings-v2/sources/$sourceId': { sourceId: desk.id },
    '/qc-v2/calibrations/$calibrationId': { calibrationId: calibration.id },
    '/qc/escalations/$escalationId': { escalationId: escalation.id },
    '/qc-v2/chat-escalations/$id': { id: escalation.id },
    '/qc-v2/ticket-escalations/$id': { id: ofTicket.id },
    '/qc/feedbacks/$feedbackId': { feedbackId: feedback.id },
    '/qc-v2/chat-feedbacks/$id': { id: feedback.id },
    '/qc-v2/ticket-feedbacks/$id': { id: onTicket.id },
    '/qc-v2/statistics/users/$userId': { userId: 1 },
    // rows of a fresh installation, in the order of the import
    '/qc/chats/$chatId': { chatId: 1 },
    '/qc/tickets/$ticketId': { ticketId: 3 },
    '/qc/tickets/review/$ticketId': { ticketId: 4 },
    '/qc-v2/tickets/review/$ticketId': { ticketId: 4 },
    '/qc-v2/chats/archive/$chatId': { chatId: 1 },
    '/qc-v2/chats/queue/$chatId': { chatId: 2 },
    '/qc-v2/tickets/$ticketId': { ticketId: 3 },
    '/qc-settings/tags/update/$tagId': { tagId },
    '/qc-settings/score/types/update/$scoreTypeId': { scoreTypeId },
    '/qc-settings/score/grades/update/$scoreGradeId': { scoreGradeId },
    '/qc-settings/cron/edit/$id': { id },
    '/qc-settings-v2/tags/$tagId': { tagId },
    '/qc-settings-v2/scores/types/$scoreTypeId': { scoreTypeId },
    '/qc-settings-v2/scores/grades/$scoreGradeId': { scoreGradeId },
    '/qc-settings-v2/ticket-cron-config/$id': { id },
  }
}
