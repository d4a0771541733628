export const archiveImport = {
  'archive-import:import:read': 'See imports of archives',
  'archive-import:import:create': 'Look at archives of other panels',
  'archive-import:import:start': 'Import archives of other panels',
  'archive-import:import:delete': 'Delete imports of archives',
} as const satisfies Record<`archive-import:${string}:${string}`, string>
