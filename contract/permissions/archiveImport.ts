export const archiveImport = {
  'archive-import:import:read': 'See imports of archives',
  'archive-import:import:create': 'Look at archives of other panels',
  'archive-import:import:start': 'Import archives of other panels',
  'archive-import:import:delete': 'Delete imports of archives',
  'archive-import:link:create': 'Make one-use links for new passwords',
  'archive-import:link:delete': 'Revoke one-use links for new passwords',
} as const satisfies Record<`archive-import:${string}:${string}`, string>
