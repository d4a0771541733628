import type { CheckedSite } from '@innkeeper/contract/agent/monitoring'
import type { Driver } from '../../kit/driver.ts'
import { request } from './request.ts'

/** Websites that are requested at the same time. */
const AT_ONCE = 25

/** Requests websites of other servers as a visitor would. */
export const checkWebsites: Driver<'websites.check'> = {
  async run({ input: { sites } }) {
    const waiting = [...sites]
    const results: Awaited<ReturnType<typeof request>>[] = []
    const work = async () => {
      for (let site: CheckedSite | undefined = waiting.shift(); site; site = waiting.shift())
        results.push(await request(site))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return { results }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
