import type { ConfigService } from '@innkeeper/contract/agent/configs'
import type { ResetAction } from '@innkeeper/contract/recovery/configs/shapes'

export const titles: Readonly<Record<ConfigService, string>> = {
  ...{ nginx: 'nginx', apache: 'Apache', php: 'PHP', mariadb: 'MariaDB', postgresql: 'PostgreSQL', redis: 'Redis' },
  ...{ powerdns: 'PowerDNS', bind: 'BIND', postfix: 'Postfix', dovecot: 'Dovecot', ftp: 'FTP', ssh: 'SSH' },
  ...{ nftables: 'nftables', tls: 'Certificates', accounts: 'System accounts', cron: 'cron', system: 'System' },
}

/** The action under which a reset of the service is listed. */
export const actionOf: Readonly<Record<ConfigService, ResetAction | null>> = {
  ...{ nginx: 'vhost', apache: 'vhost', php: 'vhost', tls: 'ssl', powerdns: 'dns', bind: 'dns' },
  ...{ mariadb: 'database', postgresql: 'database', redis: 'database', postfix: 'mail', dovecot: 'mail' },
  ...{ ftp: 'ftp', ssh: 'ftp', accounts: 'system user', cron: 'system user', nftables: null, system: null },
}
