import { existsSync } from 'node:fs'
import type { Driver } from '../../kit/driver.ts'
import { read } from '../../kit/host.ts'
import { proxiesFile } from './webPaths.ts'
import { webServerHere } from './webServers.ts'

/**
 * The servers whose word on a visitor counts here: edges of websites, and the server that a website has moved from. Of
 * anybody else this server believes the connection alone.
 */
export const ensureProxies: Driver<'web-proxies.ensure'> = {
  async run(c) {
    const web = webServerHere()
    const { changed } = await web.apply(c, { ...web.base(), ...(await wanted(c.input)) })
    c.say(changed ? 'their word on visitors counts here' : 'their word on visitors counts here already')
  },
  undo: async ({ say }) => say('their word on visitors goes on counting: other websites may be behind them'),
  async inspect({ input, task }) {
    if (task === 'undo') return 'yes'
    return (await webServerHere().isServed(await wanted(input))) ? 'yes' : 'no'
  },
}

async function wanted({ add = [], remove = [], only }: Parameters<typeof ensureProxies.run>[0]['input']) {
  const web = webServerHere()
  const file = proxiesFile(web)
  const addresses = new Set(only ?? [...addressesIn(await read(file)), ...add])
  for (const address of remove) addresses.delete(address)
  return { [file]: web.proxiesText([...addresses].sort()) }
}

/** First line of the file, in both web servers. */
export const proxiesHead = (addresses: readonly string[]) =>
  `# Written by Innkeeper: servers whose word on a visitor counts\n# ${['proxies:', ...addresses].join(' ')}\n`
const addressesIn = (text = ''): string[] => text.match(/^# proxies: (.+)$/m)?.[1]?.split(' ') ?? []

/** A server that was set up before has no such file; one that has it keeps it. */
export const noProxies = (file: string, text: (addresses: readonly string[]) => string) =>
  existsSync(file) ? {} : { [file]: text([]) }
