import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const base = '/dossier-controller'
  const { id: positionId } = await post(`${base}/positions`, { name: 'Agent', level: 2 })
  const { id: teamId } = await post(`${base}/teams`, { name: 'Support', managerId: 1 })
  await post(`${base}/users`, { userId: 1, teamId, positionId, from: '2026-01-01' })
  const { id: feedbackId } = await post(`${base}/feedbacks`, {
    ...{ userId: 1, visibility: 'team', content: 'Calm with an angry customer.' },
  })
  await post('/qa-controller/dossier/1/comments', { commentData: 'Answers quickly.' })
  const { id: other } = await post('/auth/users', {
    ...{ username: 'prepares', email: 'prepares@example.org', firstName: 'Mari', lastName: 'Tveit' },
    password: 'nine blue kettles of tea',
  })
  await post(`${base}/users`, { userId: other, teamId, positionId, from: '2026-01-01' })
  const { id: talkId } = await post(`${base}/talks`, {
    ...{ userId: other, kind: 'one-to-one', title: 'One-to-one', heldOn: '2026-12-02', questions: ['How are you?'] },
  })
  const person = { userId: 1 }
  return {
    '/dossiers/$userId': person,
    '/dossiers/$userId/update': person,
    '/dossiers/$userId/talks/create': person,
    '/dossiers/$userId/feedbacks/create': person,
    '/dossiers/$userId/feedbacks/$feedbackId': { ...person, feedbackId },
    '/dossiers/$userId/feedbacks/$feedbackId/update': { ...person, feedbackId },
    '/dossiers/teams/$teamId': { teamId },
    '/dossiers/talks/$talkId': { talkId },
    '/qc/dossiers/$userId': person,
  }
}
