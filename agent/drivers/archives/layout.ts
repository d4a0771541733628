import type { ArchiveSecrets } from '@innkeeper/contract/agent/archives'
import type { FoundWebsite, Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { Rule } from './rules.ts'

/** What the records of an archive say, before the other members are counted. */
export interface Layout {
  inventory: Inventory
  secrets: ArchiveSecrets
  rules: [string, Rule][]
  /** Folders of the former server that become folders of a website, by website. */
  roots: Record<string, { from: string; to: string }[]>
}

export const noFiles = () => ({ files: 0, bytes: 0, links: 0, refused: {}, fault: null })

export const emptyInventory = (format: Inventory['format'], name: string): Inventory => ({
  format,
  account: { name, plan: null, contact: null, suspended: false },
  addresses: [],
  websites: [],
  databases: [],
  mail: [],
  zones: [],
  cron: [],
  ftp: [],
  others: [],
  refused: {},
  members: 0,
  bytes: 0,
})
export const noSecrets = (): ArchiveSecrets => ({ mailboxes: {}, databases: {}, ftp: {}, certificates: {}, dkim: {} })

export const plainWebsite = (domain: string, root: string): FoundWebsite => ({
  ...{ domain, root, aliases: [], phpVersion: null, rootProblem: null, ssl: false, certificate: null },
  ...{ redirect: null, protectedBy: [], suspended: false, mentions: [], ownSettings: [] },
  ...noFiles(),
})

/**
 * Folders of a website by the path of its pages below the home of the website. Pages in a folder of an application keep
 * the application beside them: `public_html/web` becomes `public`, and the rest of `public_html` lies around it.
 */
export function pagesIn(path: string): { from: string; to: string }[] {
  const around = /^(.+)\/(?:public|pub|web|webroot|htdocs|html|www)$/.exec(path)?.[1]
  return [{ from: path, to: 'public' }, ...(around ? [{ from: around, to: '' }] : [])]
}

/** A version in the name of a PHP backend: `PHP-8_2`, `ea-php82`, `alt-php74`. */
export function phpIn(text: string | undefined): string | null {
  const found = /^php-?(\d)[._]?(\d{1,2})$/i.exec((text ?? '').replace(/^(?:ea|alt)-/i, ''))
  return found ? `${found[1]}.${found[2]}` : null
}
