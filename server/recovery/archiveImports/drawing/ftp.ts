import { ftpFolder, ftpName } from '@innkeeper/contract/kit/values'
import type { HashForm, Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import type { DrawnWebsite } from './websites.ts'
import { whyNew } from './words.ts'

export interface DrawnFtp {
  /** The login name in the archive. */
  from: string
  /** The login name without the account. */
  name: string
  folder: string
  website: DrawnWebsite
  /** Whether the password of the archive is carried; otherwise it gets a new one. */
  hashed: boolean
}
const taken: readonly HashForm[] = ['md5-crypt', 'sha256-crypt', 'sha512-crypt', 'yescrypt']

/** What becomes of the FTP users. Their login names begin with the new account. */
export function drawFtp(
  inventory: Inventory,
  websites: readonly DrawnWebsite[],
  left: ReadonlySet<string>,
): { made: DrawnFtp[]; lines: PlanLine[] } {
  const made: DrawnFtp[] = []
  const lines: PlanLine[] = []
  for (const { name: from, website: of, path, hash } of inventory.ftp) {
    const key = `ftp:${from}`
    const website = websites.find((one) => one.from === of)
    const prefix = `${inventory.account.name}_`
    const name = (from.startsWith(prefix) ? from.slice(prefix.length) : (from.split('@')[0] ?? '')).toLowerCase()
    const folder = path.replace(/^public_html(?=\/|$)/, 'public')
    const why = !website
      ? `Its website ${of} is not carried`.replace('  ', ' ')
      : !ftpName.safeParse(name).success
        ? 'Innkeeper does not take its name'
        : !ftpFolder.safeParse(folder).success
          ? `Innkeeper does not take its folder ${path.slice(0, 100)}`
          : made.some((one) => one.name === name && one.website === website)
            ? 'The name comes twice'
            : undefined
    if (why || !website || left.has(key)) {
      lines.push({
        key,
        kind: 'ftp',
        name: from,
        verdict: 'left out',
        detail: '',
        notes: [why ?? 'You leave it out'],
        choice: !why,
      })
      continue
    }
    const hashed = taken.includes(hash)
    made.push({ from, name, folder, website, hashed })
    lines.push({
      ...{ key, kind: 'ftp', name: from, verdict: 'changed', choice: true },
      detail: `${folder || 'the whole folder'} of ${website.domain}`,
      notes: [
        `The login name begins with the new account and ends with _${name}; ${hashed ? 'the password stays' : `it gets a new password, which a one-use link shows: ${whyNew(hash)}`}`,
      ],
    })
  }
  return { made, lines }
}
