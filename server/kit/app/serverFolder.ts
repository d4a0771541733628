import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

const manifest = findPackageJSON(import.meta.url)
if (!manifest) throw new Error('server/package.json is missing')
/** Folder of the server's sources, for the bundle in `server/dist` too. */
export const serverFolder = dirname(manifest)
