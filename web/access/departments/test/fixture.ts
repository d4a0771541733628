import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const { id } = await post('/auth/departments', { name: 'Shown' })
  return { '/departments/edit/$departmentId': { departmentId: id } }
}
