import type { WebServer } from '@innkeeper/contract/servers'
import { type PlanStep, step } from '../kit/work/action.ts'
import {
  apacheEnsure,
  dovecotEnsure,
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

export const DEBIAN_PHP = '8.2' // of Debian 12, and of the plans
const extensions = ['fpm', 'cli', 'mysql', 'xml', 'mbstring', 'gd', 'intl', 'curl', 'zip']
/** The Debian packages of one version of PHP, with what common applications need. */
export const phpPackages = (version: string): string[] => extensions.map((extension) => `php${version}-${extension}`)

const on = ({ id, name }: Machine, type: string) => ({ server: id, resource: { type, id, name } })
/** A database server is there for others; on any other machine a database serves the websites beside it. */
const listen = ({ type }: Machine) => (type === 'database' ? 'network' : 'loopback')
export const isEdge = ({ type }: Pick<Server, 'type'>) => type === 'cdn' || type === 'xdn'
export const CACHE_MB = 10_240

/** What all websites of a machine share, as its agent writes it; where that is what there is, nothing is touched. */
export const webBase = (server: Machine, webServer: WebServer): PlanStep[] => provisions[webServer].steps(server)

/** Services with a driver. One that is wanted without one is left out of the plan and shown as wanted, not found. */
const provisions = {
  nginx: {
    packages: ['nginx'],
    steps: (server) => [
      step(nginxEnsure, {}, on(server, 'nginx')),
      ...(isEdge(server) ? [step(nginxCacheEnsure, { maxSizeMb: CACHE_MB }, on(server, 'nginx-cache'))] : []),
    ],
  },
  // a certificate of its own for whom no website is shown to
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
    steps: (server) => [step(mariadbEnsure, { listen: listen(server) }, on(server, 'mariadb'))],
  },
  postgresql: {
    packages: ['postgresql'],
    steps: (server) => [step(postgresqlEnsure, { listen: listen(server) }, on(server, 'postgresql'))],
  },
  postfix: {
    packages: ['postfix', 'ssl-cert'],
    steps: (server) => [step(postfixEnsure, {}, on(server, 'postfix'))],
  },
  // after Postfix, whose folder its sockets lie in
  dovecot: {
    packages: ['dovecot-core', 'dovecot-imapd', 'dovecot-pop3d', 'dovecot-lmtpd', 'ssl-cert'],
    steps: (server) => [step(dovecotEnsure, {}, on(server, 'dovecot'))],
  },
  restic: { packages: ['restic'], steps: (server) => [step(resticEnsure, {}, on(server, 'restic'))] },
} satisfies Record<string, Provision>

/** What a type wants, of a server with its own web server. */
export const wantedOf = (services: readonly string[], webServer: WebServer): string[] =>
  services.map((name) => (name === 'nginx' ? webServer : name))

/** Packages of these services, then each of them; empty where none has a driver yet. */
export function planOf(server: Server, services: readonly string[]): PlanStep[] {
  const built = Object.entries(provisions).flatMap(([name, provision]) => (services.includes(name) ? provision : []))
  if (!built.length) return []
  const packages = [...new Set(built.flatMap((provision) => provision.packages))]
  return [step(packagesEnsure, { packages }, on(server, 'packages')), ...built.flatMap((one) => one.steps(server))]
}
