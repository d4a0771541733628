import type { ConfigAuthor, ConfigService } from '@innkeeper/contract/agent/configs'
import type { ConfigCollection, ConfigTrigger } from '@innkeeper/contract/recovery/configs/shapes'

export const services: Readonly<Record<ConfigService, string>> = {
  ...{ nginx: 'nginx', apache: 'Apache', php: 'PHP', mariadb: 'MariaDB', postgresql: 'PostgreSQL', redis: 'Redis' },
  ...{ powerdns: 'PowerDNS', bind: 'BIND', postfix: 'Postfix', dovecot: 'Dovecot', ftp: 'FTP', ssh: 'SSH' },
  ...{ nftables: 'nftables', tls: 'Certificates', accounts: 'System accounts', cron: 'cron', system: 'System' },
}
export const authors: Readonly<Record<ConfigAuthor, string>> = {
  ...{ innkeeper: 'Innkeeper', person: 'A person', package: 'A package', unknown: 'Unknown' },
}
/** `Innkeeper, a person`. */
export const authorsOf = (by: readonly ConfigAuthor[]): string =>
  by.map((one, n) => (n > 0 && one !== 'innkeeper' ? authors[one].toLowerCase() : authors[one])).join(', ')
export const triggers: Readonly<Record<ConfigTrigger, string>> = {
  ...{ nightly: 'By night', demand: 'On demand', reset: 'After a reset' },
}
export const results: Readonly<Record<ConfigCollection['result'], string>> = {
  ...{ success: 'Collected', partial: 'In part', failed: 'Failed' },
}
export const optionsOf = <K extends string>(words: Readonly<Record<K, string>>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value, label }))

/** `+2 ~1 −3`: files added, changed and removed. */
export const changesOf = ({ added, changed, removed }: { added: number; changed: number; removed: number }): string =>
  [added && `${added} added`, changed && `${changed} changed`, removed && `${removed} removed`]
    .filter(Boolean)
    .join(', ')

/** Screens that show rows of a changed configuration. */
export const touched = ['configs', 'workflows']
