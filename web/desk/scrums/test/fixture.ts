import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const component = await post('/dev-scrum/components', { name: 'Shown', weight: 20 })
  const dev = await post('/auth/users', {
    ...{ username: 'audited', email: 'audited@example.org', firstName: 'Aud', lastName: 'Ited' },
  })
  const audit = await post('/dev-scrum/audits', { name: 'Sprint 48', userId: dev.id, periodEnd: '2026-11-20' })
  return {
    '/scrums/edit/$componentId': { componentId: component.id },
    '/scrums/edit/audits/$auditId': { auditId: audit.id },
    '/scrums/dev-audit/$userId': { userId: dev.id },
    '/dev-audit/$userId': { userId: dev.id },
  }
}
