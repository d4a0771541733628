import type { Driver } from '../../kit/driver.ts'
import { read } from '../../kit/host.ts'
import { atFirst, poolFile, poolText } from '../php/phpPoolFile.ts'
import { siteFile } from './webPaths.ts'
import { webServerHere } from './webServers.ts'

/** Compares a website's files on this server with what the drivers would write. Changes nothing. */
export const compareVhostFiles: Driver<'vhost-files.compare'> = {
  async run({ input: { site, pools, gone } }) {
    const web = webServerHere()
    const wanted = new Map<string, string>([
      [siteFile(web, site.domain), web.siteText(site)],
      ...pools.map((pool): [string, string] => [poolFile(pool), poolText(pool)]),
      ...gone.map((pool): [string, string] => [poolFile(pool), '']),
    ])
    const files: { file: string; is: string; wanted: string }[] = []
    for (const [file, text] of wanted) {
      const is = atFirst(await read(file)) ?? ''
      if (is !== text) files.push({ file, is: is.slice(0, 65_536), wanted: text })
    }
    return { files }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
