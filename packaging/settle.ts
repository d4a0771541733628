import { chmodSync, globSync, lstatSync, lutimesSync } from 'node:fs'
import { join } from 'node:path'

/** Gives every file of a folder the mode and the time that do not depend on this machine. */
export function settle(folder: string, epoch: number): void {
  for (const entry of [...globSync('**/*', { cwd: folder }), '.']) {
    const path = join(folder, entry)
    const found = lstatSync(path)
    if (!found.isSymbolicLink()) chmodSync(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644)
    lutimesSync(path, epoch, epoch)
  }
}
