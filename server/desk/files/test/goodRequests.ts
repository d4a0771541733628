import type { Good } from '../../../test/hostile/good.ts'

export const files: Good<'files'> = {
  upload: { isPrivate: false },
  remove: ({ id }) => ({ ids: [id('files')] }),
  grant: ({ id }) => ({
    fileId: id('files', { is_private: true }),
    accessType: 'user',
    grantAccessTo: id('users', 'keeper'),
  }),
  createFolder: ({ id }) => ({ name: 'Fresh', parentId: id('folders', 'Papers') }),
  removeFolder: ({ id }) => ({ id: id('folders', 'Papers') }),
  update: ({ id }) => ({ id: id('files'), name: 'b.png', folderId: id('folders', 'Papers') }),
  restore: ({ id }) => ({ ids: [id('files', 'a (2).png')] }),
  purge: ({ id }) => ({ ids: [id('files', { folder_id: id('folders', 'Old') })] }),
  updateFolder: ({ id }) => ({ id: id('folders', 'Papers'), name: 'Letters', private: true }),
  restoreFolder: ({ id }) => ({ id: id('folders', 'Old') }),
  revoke: ({ id }) => ({ id: id('file_access') }),
  ticket: { path: '/api/internal-file-manager/private/0' },
  beginUpload: ({ id }) => ({ name: 'fresh.txt', size: 7, folderId: id('folders', 'Papers'), isPrivate: false }),
  continueUpload: ({ id }) => ({ id: id('file_uploads', 'empty.txt'), offset: 0 }),
  cancelUpload: ({ id }) => ({ id: id('file_uploads', 'half.txt') }),
}
