import type { Good, Rows } from '../../../test/hostile/good.ts'

const person = ({ id }: Rows) => id('users', 'petter')
const entry = ({ id }: Rows) => id('dossier_feedbacks', 'Entry for team')
const membership = ({ id }: Rows) => id('dossier_memberships', { user_id: id('users', 'petter') })
const team = ({ id }: Rows, name: string) => id('dossier_teams', name)
const conversation = ({ id }: Rows, kind: string) => id('qc_conversations', `${kind}-queued`)
const comment = ({ id }: Rows, kind: string) => id('qc_comments', `Comment on a ${kind}`)

export const dossiers: Good<'dossiers'> = {
  createUser: ({ id }) => ({ userId: id('users', 'invited') }),
  updateUser: (rows) => ({ id: person(rows), about: 'Works at night' }),
  removeUser: (rows) => ({ id: person(rows) }),
  createPosition: { name: 'Fresh position' },
  updatePosition: ({ id }) => ({ id: id('dossier_positions', 'Agent'), level: 3 }),
  removePosition: ({ id }) => ({
    id: id('dossier_positions', 'Lead'),
    replacementId: id('dossier_positions', 'Agent'),
  }),
  createTeam: { name: 'Fresh team', managerId: 1 },
  updateTeam: (rows) => ({ id: team(rows, 'Nights'), parentId: null }),
  removeTeam: (rows) => ({ id: team(rows, 'Nights'), replacementId: team(rows, 'Support') }),
  createMembership: (rows) => ({ userId: 1, teamId: team(rows, 'Nights'), from: '2026-03-01' }),
  updateMembership: (rows) => ({ id: membership(rows), to: '2027-01-01' }),
  moveMembership: (rows) => ({ id: membership(rows), teamId: team(rows, 'Nights'), from: '2027-01-01' }),
  removeMembership: (rows) => ({ id: membership(rows) }),
  createCategory: { name: 'Fresh category' },
  updateCategory: ({ id }) => ({ id: id('dossier_words', 'Teamwork'), name: 'Working together' }),
  removeCategory: ({ id }) => ({ id: id('dossier_words', 'Spare category') }),
  createType: { name: 'Fresh type' },
  updateType: ({ id }) => ({ id: id('dossier_words', 'Praise'), isActive: false }),
  removeType: ({ id }) => ({ id: id('dossier_words', 'Praise'), replacementId: id('dossier_words', 'Spare type') }),
  createReviewCategory: { name: 'Fresh review category' },
  updateReviewCategory: ({ id }) => ({ id: id('dossier_words', 'Tone'), description: 'How it is said' }),
  removeReviewCategory: ({ id }) => ({ id: id('dossier_words', 'Tone') }),
  createFeedback: (rows) => ({ userId: person(rows), content: 'Fresh', visibility: 'subject-and-manager' }),
  updateFeedback: (rows) => ({ id: entry(rows), content: 'Changed' }),
  removeFeedback: (rows) => ({ id: entry(rows) }),
  acknowledge: ({ id }) => ({ id: id('dossier_feedbacks', 'Entry about the keeper'), answer: 'Thank you' }),
  commentDossier: (rows) => ({ id: person(rows), commentData: 'Fresh' }),
  createChatComment: (rows) => ({ chatId: conversation(rows, 'chat'), commentData: 'Fresh' }),
  updateChatComment: (rows) => ({ id: comment(rows, 'chat'), content: 'Changed' }),
  removeChatComment: (rows) => ({ id: comment(rows, 'chat') }),
  createTicketComment: (rows) => ({ ticketId: conversation(rows, 'ticket'), commentData: 'Fresh' }),
  updateTicketComment: (rows) => ({ id: comment(rows, 'ticket'), content: 'Changed' }),
  removeTicketComment: (rows) => ({ id: comment(rows, 'ticket') }),
  export: (rows) => ({ id: person(rows) }),
  erase: ({ id }) => ({ id: id('users', 'petra'), reason: 'Asked for by the person' }),
  createTalk: (rows) => ({
    ...{ userId: person(rows), kind: 'one-to-one', title: 'Fresh talk', heldOn: '2026-12-09' },
    questions: ['How are you?'],
  }),
  prepareTalk: ({ id }) => ({ id: id('dossier_talks', 'Prepared'), answers: ['Better'] }),
  createTalkTemplate: { name: 'Fresh template', kind: 'one-to-one', questions: ['How are you?'] },
  updateTalkTemplate: ({ id }) => ({ id: id('dossier_talk_templates', 'One-to-one'), isActive: false }),
  removeTalkTemplate: ({ id }) => ({ id: id('dossier_talk_templates', 'Yearly review') }),
  closeTalk: ({ id }) => ({ id: id('dossier_talks', 'Released'), goals: ['Rest'] }),
}
