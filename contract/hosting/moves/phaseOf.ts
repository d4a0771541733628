import type { Phase } from './shapes.ts'

/** Step of a move that an action belongs to, by its name and input. */
export function phaseOf({ name, input }: { name: string; input: Record<string, unknown> }): Phase {
  if (name === 'transfer.pull') return input.mode === 'delta' ? 'delta' : 'seed'
  if (name === 'transfer.open') return 'seed'
  if (name === 'database.dump') return input.changedSince ? 'databases' : 'seed'
  if (name === 'database.load') return input.renew ? 'databases' : 'seed'
  // remote clients are locked out of the old server, without a password
  if (name === 'database-user.ensure') return !input.locked ? 'databases' : input.password ? 'prepare' : 'freeze'
  if (name === 'sftp-access.ensure') return input.again ? 'proxy' : input.state === 'suspended' ? 'freeze' : 'prepare'
  if (name === 'document-root.close') return input.state === 'closed' ? 'proxy' : 'prepare'
  if (name === 'transfer.fetch') return fetched(String(input.file))
  if (name === 'nginx-site.ensure' || name === 'apache-site.ensure')
    return input.state === 'moving' ? 'freeze' : input.state === 'moved' ? 'proxy' : input.before ? 'verify' : 'prepare'
  return byName[name] ?? (name.endsWith('.remove') || name === 'transfer.close' ? 'proxy' : 'prepare')
}
const fetched = (file: string): Phase =>
  !file.endsWith('.sql.gz') ? 'proxy' : file.includes('-seed-') ? 'seed' : 'databases'
const byName: Record<string, Phase> = {
  'migration.preflight': 'preflight',
  'database.marks': 'seed',
  'transfer.compare': 'seed',
  'transfer.verify': 'verify',
  'php-pool.renew': 'verify',
  'website.probe': 'verify',
  'migration.cutover': 'cutover',
  'website.dns': 'proxy',
  'edge-site.ensure': 'proxy',
  'website-logs.pack': 'proxy',
  'website-logs.take': 'proxy',
  'crontab.rest': 'freeze',
  'crontab.take': 'proxy',
}
