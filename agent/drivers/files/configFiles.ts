import { run } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { isWordPress } from '../applications/otherAddress.ts'
import { AT_ONCE, configuring, MOST_BYTES, MOST_FOUND, type Place, passedBy } from './websiteFiles.ts'

export async function configFiles({ path }: Place, account: Account): Promise<{ found: string[]; more: boolean }> {
  const named = configuring.split(' ').flatMap((name, i) => [...(i ? ['-o'] : []), '-iname', name])
  const skipped = passedBy.flatMap((name, i) => [...(i ? ['-o'] : []), '-name', name])
  const argv = ['timeout', '8', 'find', path, '-xdev', '-type', 'd', '(', ...skipped, ')', '-prune', '-o']
  const { code, stdout } = await run(
    ['env', ...argv, '-type', 'f', '-size', `-${MOST_BYTES + 1}c`, '(', ...named, ')', '-printf', '%P\\0'],
    { as: account },
  )
  // A name that is not UTF-8 was decoded with a replacement character and cannot be opened.
  const all = stdout.split('\0').filter((name) => name && !name.includes('\ufffd'))
  return { found: all.slice(0, MOST_FOUND), more: code === 124 || all.length > MOST_FOUND }
}
/**
 * The files that contain the name, and every wp-config.php. grep finds them: reading each file here would take minutes.
 */
export async function speaking(
  files: string[],
  { path, from }: Place & { from: string },
  as: Account,
): Promise<string[]> {
  const found: string[] = []
  for (let i = 0; i < files.length; i += AT_ONCE) {
    const some = files.slice(i, i + AT_ONCE).map((file) => `${path}/${file}`)
    const how = ['--files-with-matches', '--null', '--binary-files=without-match', '--devices=skip']
    const { stdout } = await run(['grep', ...how, '--ignore-case', '--fixed-strings', '-e', from, '--', ...some], {
      as,
    })
    found.push(
      ...stdout
        .split('\0')
        .filter(Boolean)
        .map((file) => file.slice(path.length + 1)),
    )
  }
  return [...new Set([...found, ...files.filter(isWordPress)])].sort()
}
