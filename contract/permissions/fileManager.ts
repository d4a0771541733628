export const fileManager = {
  'file-manager:file:upload': 'Upload files',
  'file-manager:file:delete': 'Delete files',
  'file-manager:file:grant-access': 'Grant access to files',
  'file-manager:file:browse': 'Browse files',
  'file-manager:folder:create': 'Create folders',
  'file-manager:folder:delete': 'Delete folders',
} as const satisfies Record<`file-manager:${string}:${string}`, string>
