import { type Domain, item, screen } from '../../domain.ts'

export const files = {
  screens: [
    screen(
      '/ifm',
      { scope: 'file-manager:file:browse', title: 'Internal file manager' },
      () => import('./IfmScreen.tsx'),
    ),
    screen('/files-manager', { scope: 'public', title: 'Files' }, () => import('./FilesScreen.tsx')),
    screen('/files-manager/$folderId', { scope: 'public', title: 'Files' }, () => import('./FilesScreen.tsx')),
  ],
  area: 'Desk',
  menu: [item(34, 'Internal file manager', '/ifm', 'file-manager:file:browse', ['/files-manager'])],
} satisfies Domain
