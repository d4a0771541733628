import type { ScreenFixture } from '../screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const v2 = '/qa-controller-v2'
  const { id: tagId } = await post(`${v2}/tags`, { name: 'Shown', colour: 'info' })
  const low = await post(`${v2}/score/grades`, { name: 'Poor', value: 0, colour: 'error', needsComment: true })
  const { id: scoreGradeId } = await post(`${v2}/score/grades`, { name: 'Good', value: 80, colour: 'success' })
  const gradeIds = [low.id, scoreGradeId]
  const { id: scoreTypeId } = await post(`${v2}/score/types`, { name: 'Solution', weight: 40, gradeIds })
  const { id } = await post('/ticket-controller/cron', { name: 'Shown', value: 'csat<=2' })
  return {
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
