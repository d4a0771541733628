import { chmod, lstat, readdir } from 'node:fs/promises'
import { absent, must } from '../../kit/host.ts'
import { logFile } from './webPaths.ts'
import type { WebServer } from './webServer.ts'

const OTHERS = 0o007

/**
 * Logs name visitors and what they asked for. Only root, the web server and the group of log readers may read them: PHP
 * of a website that has left its folders would otherwise read those of its neighbours. Debian's nginx, and agents before
 * this one, left them open.
 */
export async function closeLogs({ name, logs }: Pick<WebServer, 'name' | 'logs'>): Promise<void> {
  await restrict(logs, name === 'nginx' ? 0o006 : OTHERS) // the workers of nginx open logs in it
  for (const log of (await readdir(logs).catch(absent)) ?? []) await restrict(`${logs}/${log}`, OTHERS)
}

/** Makes the logs of a website before the web server does, which would let everybody read them. */
export async function makeLogs(web: Pick<WebServer, 'logs'>, domain: string): Promise<void> {
  for (const kind of ['access', 'error'] as const) {
    const file = logFile(web, domain, kind)
    if (await lstat(file).catch(absent)) await restrict(file, OTHERS)
    else await must(['install', '--mode=0640', '--owner=www-data', '--group=adm', '/dev/null', file])
  }
}

/** Takes rights from everybody on the server; the folder belongs to root, so nothing here is exchanged meanwhile. */
async function restrict(path: string, rights: number): Promise<void> {
  const found = await lstat(path).catch(absent)
  if (found && !found.isSymbolicLink() && found.mode & rights) await chmod(path, found.mode & 0o777 & ~rights)
}
