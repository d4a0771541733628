import type { ArchiveImport, PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'

export const formats = {
  ...{
    hestia: 'HestiaCP',
    vesta: 'Vesta',
    cpanel: 'cPanel',
    directadmin: 'DirectAdmin',
    plesk: 'Plesk',
    ispconfig: 'ISPConfig',
    plain: 'Plain folder',
  },
  machine: 'Adopted server',
} as const
export const kinds: Record<PlanLine['kind'], string> = {
  ...{ website: 'Website', certificate: 'Certificate', database: 'Database', mail: 'Mail domain', zone: 'Zone' },
  ...{ cron: 'Cron', ftp: 'FTP user', other: 'Other' },
}
export const fileOf = ({ fileName }: Pick<ArchiveImport, 'fileName'>) => fileName.slice(fileName.lastIndexOf('/') + 1)
export const isOpen = ({ status }: Pick<ArchiveImport, 'status'>) => status === 'ready' || status === 'rolled-back'
export const touched = ['archiveImports', 'workflows', 'websites', 'databases', 'mailboxes', 'dns']
