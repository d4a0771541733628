import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

export const packagesEnsure = action('packages.ensure', operations['packages.ensure'], {
  title: 'Packages',
  lane: 'long',
  what: ({ packages }) => packages.join(', '),
})
export const nginxEnsure = action('nginx.ensure', operations['nginx.ensure'], {
  title: 'nginx',
  what: () => 'answers on port 80 and refuses unknown names',
})
export const apacheEnsure = action('apache.ensure', operations['apache.ensure'], {
  title: 'Apache',
  what: () => 'answers on port 80 and refuses unknown names',
})
export const webProxiesEnsure = action('web-proxies.ensure', operations['web-proxies.ensure'], {
  title: 'Trusted proxies',
  what: ({ add, remove, only }) =>
    [
      only && `only ${only.join(', ') || 'none'}`,
      add?.length && `${add.join(', ')} may state the address of the visitor`,
      remove?.length && `no longer ${remove.join(', ')}`,
    ]
      .filter(Boolean)
      .join('; '),
})
export const phpEnsure = action('php.ensure', operations['php.ensure'], {
  title: 'PHP',
  what: ({ phpVersion }) => `php${phpVersion}-fpm runs, even if a pool is invalid`,
})
export const phpVersionEnsure = action('php-version.ensure', operations['php-version.ensure'], {
  title: 'PHP packages',
  lane: 'long',
  what: ({ phpVersion }) => `PHP ${phpVersion} besides the installed versions`,
})
export const nginxCacheEnsure = action('nginx-cache.ensure', operations['nginx-cache.ensure'], {
  title: 'nginx cache',
  what: ({ maxSizeMb }) => `caches up to ${maxSizeMb} MB of pages`,
})
export const powerdnsEnsure = action('powerdns.ensure', operations['powerdns.ensure'], {
  title: 'PowerDNS',
  what: () => 'answers on port 53, its API on loopback alone',
})
const reached = (listen: 'loopback' | 'network') =>
  listen === 'network' ? 'over the network, root by the socket alone' : 'on this machine alone'
export const mariadbEnsure = action('mariadb.ensure', operations['mariadb.ensure'], {
  title: 'MariaDB',
  what: ({ listen }) => `reached ${reached(listen)}`,
})
export const postgresqlEnsure = action('postgresql.ensure', operations['postgresql.ensure'], {
  title: 'PostgreSQL',
  what: ({ listen }) => `reached ${reached(listen)}`,
})
export const postfixEnsure = action('postfix.ensure', operations['postfix.ensure'], {
  title: 'Postfix',
  what: () => 'takes mail for its own domains and relays for nobody',
})
export const dovecotEnsure = action('dovecot.ensure', operations['dovecot.ensure'], {
  title: 'Dovecot',
  what: () => 'IMAP, POP3 and delivery, over TLS',
})
export const mailFilterEnsure = action('mail-filter.ensure', operations['mail-filter.ensure'], {
  title: 'rspamd',
  what: () => 'marks spam and signs outgoing mail',
})
export const resticEnsure = action('restic.ensure', operations['restic.ensure'], {
  title: 'restic',
  what: () => 'repositories that restore what they back up',
})
export const agentUpdate = action('agent.update', operations['agent.update'], {
  title: 'Agent',
  lane: 'long',
  what: ({ version, agent }) =>
    `version ${version}, ${agent.slice(0, 8)}; restores the previous version if it does not report`,
})
