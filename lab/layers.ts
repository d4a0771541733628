import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.ts'
import { settle } from './places.ts'
import { must } from './run.ts'

/**
 * Packages that many test files need. A host with a layer starts with them installed, as after a reboot. A test that proves an
 * installation uses a host without a layer.
 */
export const layers = {
  databases: ['mariadb-server', 'postgresql'],
  mail: [
    ...['postfix', 'dovecot-core', 'dovecot-imapd', 'dovecot-pop3d', 'dovecot-lmtpd', 'dovecot-sieve', 'ssl-cert'],
    ...['swaks', 'python3-dkim', 'libnet-ssleay-perl'],
  ],
  dns: ['pdns-server', 'pdns-backend-sqlite3', 'bind9-dnsutils'],
} as const satisfies Record<string, readonly string[]>
export type Layer = keyof typeof layers

/** Name of the host in which a layer is made; `renew.sh` replaces it with the name of each host. */
export const layerHost = 'unnamed-host'
const renewScript = fileURLToPath(new URL('renew.sh', import.meta.url))
const WEEK_MS = 7 * 86_400_000

/** Folder of a layer below the folder of the images. Its name covers everything from which the layer is made. */
export async function layerFolder(images: string, image: string, layer: Layer): Promise<string> {
  const recipe = `${image} ${layers[layer].join(' ')}\n${await readFile(renewScript, 'utf8')}`
  return join(images, 'layers', createHash('sha256').update(recipe).digest('hex').slice(0, 12))
}

/**
 * Answers the folder of a layer, made first if it does not exist: `install` installs the packages in a host whose lab is in the
 * folder given to it, and answers the host's disk after a shutdown.
 */
export async function ensureLayer(
  folder: string,
  layer: Layer,
  install: (dir: string, packages: readonly string[]) => Promise<string>,
): Promise<string> {
  const now = new Date()
  if (!existsSync(folder))
    await withLock(`layer ${folder}`, async () => {
      if (existsSync(folder)) return // another process made it while this one waited
      await clearUnused(settle(join(folder, '..')))
      const dir = `${folder}.new`
      await rm(dir, { recursive: true, force: true })
      const upper = await install(dir, layers[layer])
      await tidy(upper)
      await rename(upper, folder)
      await rm(dir, { recursive: true, force: true })
    })
  await utimes(folder, now, now)
  return folder
}

/** Removes what belongs to one host, and what a host of the bare image does not have either. */
async function tidy(upper: string): Promise<void> {
  const own = ['innkeeper-lab', 'machine-id', 'hostname', 'hosts', 'resolv.conf', 'apt/sources.list']
  for (const name of own) await rm(join(upper, 'etc', name), { force: true })
  for (const name of ['cache/apt', 'lib/apt/lists', 'lib/systemd/random-seed', 'log/journal', 'tmp'])
    await rm(join(upper, 'var', name), { recursive: true, force: true })
  await must(['install', '--mode=0755', renewScript, join(upper, 'etc/innkeeper-layer')])
}

/** Layers that no host has started from in a week. The layers of former package lists and images are among them. */
async function clearUnused(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const used = (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs
    if (used && Date.now() - used > WEEK_MS && !name.endsWith('.new'))
      await rm(join(folder, name), { recursive: true, force: true })
  }
}
