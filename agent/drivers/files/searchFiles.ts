import { seenFile } from '@innkeeper/contract/agent/websites'
import type { Driver } from '../../kit/driver.ts'
import { run } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { withOtherAddress } from '../applications/otherAddress.ts'
import { ownerOf } from './tree.ts'
import { contentOf, MOST_BYTES, type Place, speaking, sumOf } from './websiteFiles.ts'

/** Names of configuration files; larger files than `MOST_BYTES` are skipped. */
const configuring =
  '*.php *.inc *.ini *.json *.yml *.yaml *.xml *.conf *.config *.cfg *.toml *.neon *.properties *.env .env* .htaccess *config*.js robots.txt'
const passedBy = ['node_modules', '.git', '.svn', 'cache', 'vendor']
const MOST_FOUND = 20_000
const MOST_SHOWN = 200

/** Searches and writes as the account, so that no symlink or swapped folder reaches what the account may not read. */
export const searchFiles: Driver<'website-files.search'> = {
  async run({ input }) {
    const account = await ownerOf(input)
    const { found, more } = await configFiles(input, account)
    const files = []
    let left = false
    for (const file of await speaking(found, input, account)) {
      const text = await contentOf(`${input.path}/${file}`, account)
      if (text === undefined) continue
      const { count, lines } = withOtherAddress(file, text, input.from, input.to)
      if (!count || !seenFile.shape.within.safeParse(file).success) continue
      if (files.length === MOST_SHOWN) {
        left = true
        break
      }
      files.push({ within: file, sha256: sumOf(text), count, lines })
    }
    return { files, searched: found.length, more: more || left }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

async function configFiles({ path }: Place, account: Account): Promise<{ found: string[]; more: boolean }> {
  const named = configuring.split(' ').flatMap((name, i) => [...(i ? ['-o'] : []), '-iname', name])
  const skipped = passedBy.flatMap((name, i) => [...(i ? ['-o'] : []), '-name', name])
  const argv = ['find', path, '-xdev', '-type', 'd', '(', ...skipped, ')', '-prune', '-o']
  const { stdout } = await run(
    ['env', ...argv, '-type', 'f', '-size', `-${MOST_BYTES + 1}c`, '(', ...named, ')', '-printf', '%P\\0'],
    { as: account },
  )
  // A name that is not UTF-8 was decoded with a replacement character and cannot be opened.
  const all = stdout.split('\0').filter((name) => name && !name.includes('\ufffd'))
  return { found: all.slice(0, MOST_FOUND), more: all.length > MOST_FOUND }
}
