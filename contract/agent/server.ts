import * as z from 'zod'
import { address, packageName, phpVersion } from '../kit/values.ts'
import { sha256 } from './shapes.ts'

/** Operations on the machine and its installed services. */
export const serverOperations = {
  /** Installs Debian packages and reports each line of apt. Undo keeps them, because other services may need them. */
  'packages.ensure': z.object({ packages: z.array(packageName).min(1).max(200) }),
  /**
   * nginx on port 80. It refuses unknown host names and answers the generation of its configuration on a local address.
   */
  'nginx.ensure': z.object({}),
  /** Apache, configured like nginx. Each of the two takes the ports from the other if the other serves no website. */
  'apache.ensure': z.object({}),
  /**
   * Servers whose X-Forwarded-For and X-Forwarded-Proto the web server trusts: edges, and the old server of a moved
   * website. `only` replaces the list.
   */
  'web-proxies.ensure': z.object({
    add: z.array(address).max(500).optional(),
    remove: z.array(address).max(500).optional(),
    only: z.array(address).max(500).optional(),
  }),
  /** php-fpm of a version. An invalid pool does not stop the other pools. */
  'php.ensure': z.object({ phpVersion }),
  /** Answers the extensions that this server has for a PHP version, and which of them are on by default. */
  'php-extensions.list': z.object({ phpVersion }),
  /** Installs a further PHP version. `repository` is searched after the package sources of the machine. */
  'php-version.ensure': z.object({
    phpVersion,
    repository: z
      .object({
        uri: z.url({ protocol: /^https$/ }).regex(/^[A-Za-z0-9:/._~-]+$/),
        suite: z.string().regex(/^[a-z][a-z-]{1,40}$/),
        key: z.url({ protocol: /^https$/ }).regex(/^[A-Za-z0-9:/._~-]+$/),
      })
      .optional(),
  }),
  /** The cache of an edge, which its websites share. */
  'nginx-cache.ensure': z.object({ maxSizeMb: z.int().min(64).max(4_194_304) }),
  /** PowerDNS on port 53 with its API on loopback. Only named servers may transfer zones. */
  'powerdns.ensure': z.object({}),
  /** MariaDB on its socket. `network`: also for web servers, without root and anonymous accounts. */
  'mariadb.ensure': z.object({ listen: z.enum(['loopback', 'network']) }),
  'postgresql.ensure': z.object({ listen: z.enum(['loopback', 'network']) }),
  /** Postfix. Accepts mail for its own domains and relays only for signed-in senders. */
  'postfix.ensure': z.object({}),
  /** Dovecot with IMAP, POP3, delivery and sign-in. Connections from other machines require TLS. */
  'dovecot.ensure': z.object({}),
  /** restic, with a folder for repositories that only root can read. */
  'restic.ensure': z.object({}),
  /**
   * Replaces the agent by the version that the control plane offers. If the new agent does not report, the previous one
   * is restored.
   */
  'agent.update': z.object({
    version: z.string().regex(/^[0-9]+\.[0-9]+\.[0-9]+[a-z0-9.-]{0,20}$/),
    agent: sha256,
    node: z.object({ x64: sha256.optional(), arm64: sha256.optional() }),
  }),
  /** Answers disk, load and services. Runs in the read lane and stores nothing. */
  'server.inspect': z.object({}),
} as const
