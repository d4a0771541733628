import type { Good } from '../../../test/hostile/good.ts'

export const scrums: Good<'scrums'> = {
  createAudit: ({ id }) => ({ name: 'Sprint 48', userId: id('users', 'nina'), periodEnd: '2026-11-20' }),
  updateAudit: ({ id }) => ({ id: id('scrum_audits', 'Sprint draft'), name: 'Sprint 45' }),
  removeAudit: ({ id }) => ({ id: id('scrum_audits', 'Sprint submitted') }),
  acknowledge: ({ id }) => ({ id: id('scrum_audits', 'Sprint of the keeper'), reply: 'Agreed' }),
  addAction: ({ id }) => ({ id: id('scrum_audits', 'Sprint draft'), title: 'Write tests first' }),
  removeAction: ({ id, row }) => ({
    id: id('scrum_audits', 'Sprint draft'),
    action: Number(row('scrum_actions', 'Pair with Mari').scrum_action_id),
  }),
  createComponent: { name: 'Estimates', weight: 15 },
  updateComponent: ({ id }) => ({ id: id('scrum_components', 'Reviews'), weight: 25 }),
  removeComponent: ({ id }) => ({ id: id('scrum_components', 'Reviews') }),
  updateSettings: { commentBelow: 40 },
}
