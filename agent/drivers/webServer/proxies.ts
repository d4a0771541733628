import type { Context, Driver } from '../../kit/driver.ts'
import { read } from '../../kit/host.ts'
import type { Changes } from './webConfig.ts'
import { proxiesFile } from './webPaths.ts'
import { webServerHere } from './webServers.ts'

type Proxies = Context<'web-proxies.ensure'>['input']

/** Trusts servers to name the visitor: edges, and the old server of a moved website. All other requests are direct. */
export const ensureProxies: Driver<'web-proxies.ensure'> = {
  async run(c) {
    const web = webServerHere()
    // read when nobody else writes: two edges of one server must not each add themselves to the list as it was before
    const { changed } = await web.apply(c, async () => ({ ...web.base(), ...(await wanted(c.input)) }))
    c.say(`${web.title} trusts these proxies${changed ? '' : ' already'}`)
  },
  undo: async ({ say }) => say('the proxies stay trusted: other websites may be behind them'),
  async inspect({ input, task }) {
    if (task === 'undo') return 'yes'
    return (await webServerHere().isServed(await wanted(input))) ? 'yes' : 'no'
  },
}

async function wanted({ add = [], remove = [], only }: Proxies): Promise<Changes> {
  const web = webServerHere()
  const file = proxiesFile(web)
  const addresses = new Set(only ?? [...addressesIn(await read(file)), ...add])
  for (const address of remove) addresses.delete(address)
  return { [file]: web.proxiesText([...addresses].sort()) }
}
const addressesIn = (text = ''): string[] => text.match(/^# proxies: (.+)$/m)?.[1]?.split(' ') ?? []
