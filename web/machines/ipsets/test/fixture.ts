import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const { name } = await post('/ipset/sets', { name: 'shown' })
  return { '/ipset/sets/$setName': { setName: name } }
}
