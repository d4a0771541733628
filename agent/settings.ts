import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { places } from './kit/host.ts'

const Settings = z.object({
  /** The address of the agents' port of the control plane: `https://host:4443`. */
  url: z.url({ protocol: /^https$/ }),
  /** Addresses of all its nodes, if Innkeeper names several. */
  urls: z
    .array(z.url({ protocol: /^https$/ }))
    .max(50)
    .default([]),
  /** The SHA-256 of its public key (SPKI), base64, as in curl's --pinnedpubkey after `sha256//`. */
  pin: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
  stateDir: z.string().startsWith('/').default(places.state),
})
export type Settings = z.output<typeof Settings>

/** The addresses in the settings, the one of the enrolment first. */
export const addressesIn = ({ url, urls }: Settings): string[] => [...new Set([url, ...urls])]

/** Reads `/etc/innkeeper/agent.json`, or the file in INNKEEPER_AGENT_CONFIG. Throws with a readable message. */
export function readSettings(): Settings {
  const file = process.env.INNKEEPER_AGENT_CONFIG ?? places.settings
  const read = Settings.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`)
  return read.data
}
