import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const { id } = await post('/internal-file-manager/folders', { name: 'Shown' })
  return { '/files-manager/$folderId': { folderId: id } }
}
