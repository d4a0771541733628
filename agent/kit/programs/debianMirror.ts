import { apt, whenLocksAreFree } from './apt.ts'
import { must, run } from './run.ts'

/**
 * The Debian mirror and proxy of this machine's apt. First downloads the package lists if there are none, as on a machine
 * that was installed from an image.
 */
export async function debianMirror(): Promise<{ mirror: string; proxy: string | undefined }> {
  let mirror = await listed()
  if (!mirror) {
    const updated = await apt(() => whenLocksAreFree(() => run(['apt-get', 'update', '--quiet'], { long: true })))
    if (updated.code !== 0) throw new Error(`apt-get update: ${updated.stderr.trim().slice(-500)}`)
    mirror = await listed()
  }
  if (!mirror) throw new Error('No package source of this machine is a Debian mirror')
  const proxy = (await run(['apt-config', 'dump', 'Acquire::http::Proxy'])).stdout.match(/"(\S+)"/)?.[1]
  return { mirror, proxy }
}

/** apt lists only sources whose package lists it has. */
async function listed(): Promise<string | undefined> {
  const targets = await must(['apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'])
  return targets.split('\n').find((uri) => /^https?:\/\/\S+\/debian\/?$/.test(uri))
}
