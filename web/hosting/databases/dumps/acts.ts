import type { DatabaseExport, DatabaseImport } from '@innkeeper/contract/hosting/databases/dumps'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm, confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { databasesApi } from '../api.ts'

const domains = ['databases', 'websites', 'workflows'] as const

export async function start({ id, version, databaseName: name, fileName }: DatabaseImport): Promise<void> {
  const sure = await confirmByName({
    title: `Import ${fileName} into ${name}?`,
    name,
    goes: [`All that is in ${name} now: the dump replaces it`],
    stays: 'The former contents go into the trash of the server and can be put back.',
    verb: 'Import dump',
  })
  if (!sure) return
  const begun = await attempt(() => databasesApi.importDump({ id, version, name }), domains)
  if (begun)
    toast.info(`Importing into ${name}`, 'Its website shows the maintenance page only for the exchange at the end.')
}

export async function revert({ id, version, databaseName: name, fileName }: DatabaseImport): Promise<void> {
  const sure = await confirmByName({
    title: `Put back what ${name} had before ${fileName}?`,
    name,
    goes: ['What was written since that import'],
    stays: 'The present contents go into the trash of the server and can be put back as well.',
    verb: 'Put former contents back',
  })
  if (!sure) return
  const begun = await attempt(() => databasesApi.revertImport({ id, version, name }), domains)
  if (begun) toast.info(`${name} gets its former contents back`)
}

/** Reads a dump again, with the name of another database as that of the database of the import. */
export const readAs = ({ id, version }: DatabaseImport, former: string) =>
  attempt(() => databasesApi.readDumpAs({ id, version, former }), domains)

export const discard = ({ id }: DatabaseImport) => attempt(() => databasesApi.discardImport({ id }), domains)

export async function write(id: number, name: string): Promise<void> {
  const begun = await attempt(() => databasesApi.exportDump({ id }), domains)
  if (begun) toast.info(`Writing a dump of ${name}`, 'The dump can be downloaded here once it is complete.')
}

export async function download({ id, fileName }: DatabaseExport): Promise<void> {
  const found = await attempt(() => databasesApi.exportTicket({ id }), [])
  if (!found) return
  const link = document.createElement('a')
  link.href = `/api/database/exports/${id}/file?${new URLSearchParams({ ticket: found.ticket })}`
  link.download = fileName
  link.click()
}

export async function deleteExport({ id, fileName }: DatabaseExport): Promise<void> {
  const sure = await confirm({
    title: `Delete ${fileName}?`,
    text: 'The database stays as it is. Another dump can be written at any time.',
    verb: 'Delete dump',
    danger: true,
  })
  if (sure) await attempt(() => databasesApi.discardExport({ id }), domains)
}
