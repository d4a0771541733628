import { createHash } from 'node:crypto'

/** Where the agent keeps what is its own on a managed server. Folders of root alone, but for what the web server shows. */
export const places = {
  settings: '/etc/innkeeper/agent.json',
  state: '/var/lib/innkeeper',
  /** What an action made, so that its undo takes away no more than that. */
  notes: '/var/lib/innkeeper/notes',
  trash: '/var/lib/innkeeper/trash',
  /** Dumps on their way; what nobody fetched goes after some days. */
  spool: '/var/lib/innkeeper/spool',
  /** Releases of the agent, and `current`, which leads to the one that runs. */
  home: '/opt/innkeeper',
  /** Pages that the web server itself answers with: suspended, maintenance. */
  pages: '/usr/share/innkeeper/pages',
}

/** A name of any length as a file name that leaves room for an ending; a domain alone may have 253 characters. */
export function shortName(name: string): string {
  if (name.length <= 200) return name
  return `${name.slice(0, 180)}~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
}
