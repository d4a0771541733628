import type { WebServer } from '@innkeeper/contract/machines/servers/shapes'
import { type PlanStep, step } from '../../kit/work/action.ts'
import {
  apacheEnsure,
  dovecotEnsure,
  mailFilterEnsure,
  mariadbEnsure,
  nginxCacheEnsure,
  nginxEnsure,
  packagesEnsure,
  phpEnsure,
  postfixEnsure,
  postgresqlEnsure,
  powerdnsEnsure,
  resticEnsure,
} from './actions.ts'
import type { servers } from './tables.ts'

export type Server = typeof servers.$inferSelect
type Machine = Pick<Server, 'id' | 'name' | 'type'>
interface Provision {
  packages: string[]
  steps(server: Machine): PlanStep[]
}

export const DEBIAN_PHP = '8.2' // the version in Debian 12, and the default of the plans
const extensions = ['fpm', 'cli', 'mysql', 'xml', 'mbstring', 'gd', 'intl', 'curl', 'zip']
/** Debian packages of one PHP version, with the extensions that common applications need. */
const phpPackages = (version: string): string[] => extensions.map((extension) => `php${version}-${extension}`)

const on = ({ id, name }: Machine, type: string) => ({ server: id, resource: { type, id, name } })
export const isEdge = ({ type }: { type: string }) => type === 'cdn' || type === 'xdn'
export const CACHE_MB = 10_240
/** Modules of nginx: brotli, and a script that sets the headers `Age` and `Vary` of answers. */
export const EDGE_PACKAGES = ['libnginx-mod-http-brotli-filter', 'libnginx-mod-http-js']

/**
 * Steps for the configuration that all websites of a server share. They change nothing if the current agent would write
 * the same files.
 */
export const webBase = (server: Machine, webServer: WebServer): PlanStep[] => provisions[webServer].steps(server)

/**
 * Services with a driver. A service of the server type without a driver is left out of the plan and shown as missing.
 */
const provisions = {
  nginx: {
    packages: ['nginx'],
    steps: (server) => [
      step(nginxEnsure, {}, on(server, 'nginx')),
      ...(isEdge(server)
        ? [
            step(packagesEnsure, { packages: EDGE_PACKAGES }, on(server, 'packages')),
            step(nginxCacheEnsure, { maxSizeMb: CACHE_MB }, on(server, 'nginx-cache')),
          ]
        : []),
    ],
  },
  // `ssl-cert`: a certificate for requests that match no website
  apache: { packages: ['apache2', 'ssl-cert'], steps: (server) => [step(apacheEnsure, {}, on(server, 'apache'))] },
  'php-fpm': {
    packages: phpPackages(DEBIAN_PHP),
    steps: (server) => [step(phpEnsure, { phpVersion: DEBIAN_PHP }, on(server, 'php-fpm'))],
  },
  powerdns: {
    packages: ['pdns-server', 'pdns-backend-sqlite3'],
    steps: (server) => [step(powerdnsEnsure, {}, on(server, 'powerdns'))],
  },
  mariadb: {
    packages: ['mariadb-server'],
    // a database account with a remote host opens the network for its addresses
    steps: (server) => [step(mariadbEnsure, { listen: 'loopback' }, on(server, 'mariadb'))],
  },
  postgresql: {
    packages: ['postgresql'],
    steps: (server) => [step(postgresqlEnsure, { listen: 'loopback' }, on(server, 'postgresql'))],
  },
  // the filter comes first, because the configuration of Postfix and Dovecot depends on installed services
  postfix: {
    // Perl counts outgoing mail
    packages: ['rspamd', 'postfix', 'perl', 'ssl-cert'],
    steps: (server) => [
      step(mailFilterEnsure, {}, on(server, 'rspamd')),
      // lets no website send past Postfix; servers that were set up before may lack it
      step(packagesEnsure, { packages: ['nftables'] }, on(server, 'packages')),
      step(postfixEnsure, {}, on(server, 'postfix')),
    ],
  },
  // after Postfix, whose folder contains Dovecot's sockets
  dovecot: {
    packages: ['dovecot-core', 'dovecot-imapd', 'dovecot-pop3d', 'dovecot-lmtpd', 'dovecot-sieve', 'ssl-cert'],
    steps: (server) => [step(dovecotEnsure, {}, on(server, 'dovecot'))],
  },
  restic: { packages: ['restic'], steps: (server) => [step(resticEnsure, {}, on(server, 'restic'))] },
} satisfies Record<string, Provision>

/** The services of a server type, with nginx replaced by the server's own web server. */
export const wantedOf = (services: readonly string[], webServer: WebServer): string[] =>
  services.map((name) => (name === 'nginx' ? webServer : name))

const builtOf = (services: readonly string[]): Provision[] =>
  Object.entries(provisions).flatMap(([name, provision]) => (services.includes(name) ? provision : []))

/** Steps that configure installed services. They change nothing if the current agent would write the same files. */
export const baseOf = (server: Machine, services: readonly string[]): PlanStep[] =>
  builtOf(services).flatMap((one) => one.steps(server))

/** Steps that install the packages and then set up each service; empty if no service has a driver. */
export function planOf(server: Server, services: readonly string[]): PlanStep[] {
  const built = builtOf(services)
  if (!built.length) return []
  const packages = [...new Set(built.flatMap((provision) => provision.packages))]
  return [step(packagesEnsure, { packages }, on(server, 'packages')), ...baseOf(server, services)]
}
