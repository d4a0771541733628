import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const { id: shiftTypeId } = await post('/calendar/shifts/type', {
    name: 'Shown',
    startTime: '06:00',
    endTime: '14:00',
  })
  const pattern = { name: 'Shown', userId: 1, startDate: '2030-01-07', pattern: [shiftTypeId, null] }
  const { id } = await post('/calendar/shifts/automations', pattern)
  return { '/calendar/shifts/type/$shiftTypeId': { shiftTypeId }, '/calendar/shifts/automation/$id': { id } }
}
