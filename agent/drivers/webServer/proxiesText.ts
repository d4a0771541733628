import { existsSync } from 'node:fs'
import type { Changes } from './webConfig.ts'

/** The head of the file, the same for both web servers. */
export const proxiesHead = (addresses: readonly string[]) =>
  `# Written by Innkeeper. Changes are overwritten.\n# ${['proxies:', ...addresses].join(' ')}\n`
/** The file with no proxy, for a server that does not have the file yet. */
export const noProxies = (file: string, text: (addresses: readonly string[]) => string): Changes =>
  existsSync(file) ? {} : { [file]: text([]) }
