import { getServers } from 'node:dns'
import { typeNumbers } from '@innkeeper/contract/dns/wire'
import { askAt } from './ask.ts'

/**
 * Why a zone has to stay signed: its parent zone answers a DS record, or cannot be asked. Undefined: no resolver expects
 * signatures. Asks the resolver of this machine.
 */
export async function stillTrusted(
  domain: string,
  resolvers: readonly string[] = getServers(),
): Promise<string | undefined> {
  let last = 'this machine has no resolver'
  for (const resolver of resolvers) {
    const [, host = resolver, port = '53'] =
      /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(
        resolver.includes('.') || resolver.startsWith('[') ? resolver : `[${resolver}]`,
      ) ?? []
    try {
      const { code, answers } = await askAt(host, { port: Number(port), recursive: true, patienceMs: 2000 })(
        domain,
        typeNumbers.DS,
      )
      const ds = answers.filter(({ type }) => type === typeNumbers.DS)
      if (ds.length)
        return `The parent zone of ${domain} still has a DS record: without signatures, every validating resolver refuses the domain. Remove the DS record at the registry and wait for its TTL first.`
      if (code === 0 || code === 3) return undefined
      last = `the resolver ${host} answers code ${code}`
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
  }
  return `Whether the parent zone of ${domain} has a DS record is unknown: ${last}. With a DS record and without signatures, every validating resolver refuses the domain.`
}
