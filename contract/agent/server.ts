import * as z from 'zod'
import { packageName, phpVersion } from '../values.ts'
import { sha256 } from './shapes.ts'

/** The machine itself and what is installed on it. */
export const serverOperations = {
  /** Debian packages are there; says each line of apt. Undo leaves them: others may need them. */
  'packages.ensure': z.object({ packages: z.array(packageName).min(1).max(200) }),
  /** nginx answers on port 80, refuses unknown names and shows its generation on a local address. */
  'nginx.ensure': z.object({}),
  /** The same of Apache. Each takes the ports of the other, where that has no websites. */
  'apache.ensure': z.object({}),
  /** php-fpm of a version runs and survives a bad pool. */
  'php.ensure': z.object({ phpVersion }),
  /** One more PHP on this machine, beside those that are there; `repository`: where to look besides its own sources. */
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
  /** nginx keeps what an origin answers: a cache that websites of an edge share. */
  'nginx-cache.ensure': z.object({ maxSizeMb: z.int().min(64).max(4_194_304) }),
  /** PowerDNS answers on port 53, its API on loopback alone, and gives zones to nobody who is not named. */
  'powerdns.ensure': z.object({}),
  /** MariaDB by its socket; `network`: web servers reach it too, root and anonymous accounts do not. */
  'mariadb.ensure': z.object({ listen: z.enum(['loopback', 'network']) }),
  'postgresql.ensure': z.object({ listen: z.enum(['loopback', 'network']) }),
  /** Postfix takes mail for its own domains and relays for nobody who has not signed in. */
  'postfix.ensure': z.object({}),
  /** Dovecot: IMAP, POP3, delivery and sign-in, over TLS for everybody but this machine. */
  'dovecot.ensure': z.object({}),
  /** restic, and a place for repositories that root alone may read. */
  'restic.ensure': z.object({}),
  /** The agent that the control plane hands out takes the place of this one, and gives it back if it does not check in. */
  'agent.update': z.object({
    version: z.string().regex(/^[0-9]+\.[0-9]+\.[0-9]+[a-z0-9.-]{0,20}$/),
    agent: sha256,
    node: z.object({ x64: sha256.optional(), arm64: sha256.optional() }),
  }),
  /** A live look, in the read lane: disk, load, services. Leaves no row behind. */
  'server.inspect': z.object({}),
} as const
