import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ website }) => ({
  '/websites/$id': { id: website },
  '/website-orchestrator/$websiteId/$resourceType/$resourceId': {
    websiteId: website,
    resourceType: 'nginx-site',
    resourceId: website,
  },
})
