import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Host } from '@innkeeper/lab/host'
import { must } from '@innkeeper/lab/run'
import { unpack } from '@innkeeper/lab/tools'
import { scratch } from './innkeeper.ts'

const packages = [
  ...['dokuwiki', 'php-geshi', 'libphp-simplepie', 'php-phpseclib', 'php-random-compat'],
  ...['libjs-jquery', 'libjs-jquery-ui', 'libjs-jquery-cookie'],
]
const settings = `<?php
$conf['title'] = 'The guests’ wiki';
$conf['useacl'] = 0;
$conf['dmode'] = 0755;
$conf['fmode'] = 0644;
`

/**
 * Installs Debian's DokuWiki in a website, as an owner would who has only that folder: unpacks the packages beside the
 * document root, rewrites their absolute paths, and gives all files to the website's account.
 */
export async function moveIn(host: Host, { documentRoot, username }: Website): Promise<void> {
  const folder = documentRoot.slice(0, documentRoot.lastIndexOf('/'))
  const staging = mkdtempSync(join(scratch, 'dokuwiki-'))
  try {
    for (const name of packages) {
      await unpack(name, join(staging, name))
      // links to libraries that Debian packages separately
      if (name === 'dokuwiki') rmSync(join(staging, name, 'usr/share/php'), { recursive: true })
      const parts = readdirSync(join(staging, name)).filter((part) => !part.endsWith('.deb'))
      for (const part of parts)
        await must(['cp', '--recursive', '--no-dereference', join(staging, name, part), `${host.root}${folder}/`])
    }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
  // all values are constants of this test
  const script = `set -e
    cd ${folder}
    rm -rf public && mv usr/share/dokuwiki public
    grep -rlE "/(usr/share|etc/dokuwiki|var/lib/dokuwiki)" --include='*.php' public etc usr var |
      xargs sed -i -E "s#([\\"'])/(usr/share|etc/dokuwiki|var/lib/dokuwiki)#\\1${folder}/\\2#g"
    for link in lib/plugins lib/tpl; do ln -sfn ${folder}/var/lib/dokuwiki/$link public/$link; done
    rm -f etc/dokuwiki/acl.auth.php etc/dokuwiki/users.auth.php
    chown -R ${username}:${username} .`
  writeFileSync(`${host.root}${folder}/etc/dokuwiki/local.php`, settings)
  const ran = await host.exec(['sh', '-c', script])
  if (ran.code !== 0) throw new Error(`DokuWiki could not be installed: ${ran.stderr}`)
}
