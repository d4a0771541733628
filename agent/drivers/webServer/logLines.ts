import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { absent } from '../../kit/host.ts'
import { logFile } from './webPaths.ts'
import { webServerHere } from './webServers.ts'

const window = 512 * 1024

/** The last lines of a website's log, oldest first, within its last 512 KiB; none if nothing is logged yet. */
export const logLines: Driver<'website.log-lines'> = {
  async run({ input: { domain, kind, lines } }) {
    const handle = await open(logFile(webServerHere(), domain, kind), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
      absent,
    )
    if (!handle) return { lines: [] }
    try {
      const { size } = await handle.stat()
      const from = Math.max(0, size - window)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
      const all = buffer.toString('utf8', 0, bytesRead).split('\n')
      if (from > 0) all.shift() // an incomplete line
      return {
        lines: all
          .filter(Boolean)
          .slice(-lines)
          .map((line) => line.slice(0, 2000)),
      }
    } finally {
      await handle.close()
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
