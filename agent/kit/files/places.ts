import { createHash } from 'node:crypto'

/** The agent's folders on a managed server. Only root can read them, except the pages of the web server. */
export const places = {
  settings: '/etc/innkeeper/agent.json',
  state: '/var/lib/innkeeper',
  /** The note of what an action changed, for its undo. */
  notes: '/var/lib/innkeeper/notes',
  trash: '/var/lib/innkeeper/trash',
  /** Dumps in transit; files that nobody fetches are deleted after some days. */
  spool: '/var/lib/innkeeper/spool',
  /** Archives of other panels that people put here or uploaded. */
  imports: '/var/lib/innkeeper/imports',
  /** Releases of the agent, and the symlink `current` to the running one. */
  home: '/opt/innkeeper',
  /** The pages for suspended websites and maintenance. */
  pages: '/usr/share/innkeeper/pages',
}

/** A file name for a name of any length, with room for an extension: a domain may have 253 characters. */
export function shortName(name: string): string {
  if (name.length <= 200) return name
  return `${name.slice(0, 180)}~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
}
