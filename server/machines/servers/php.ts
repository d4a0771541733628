import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { step } from '../../kit/work/action.ts'
import { describe, onEnd, start } from '../../kit/work/workflow.ts'
import { phpEnsure, phpVersionEnsure } from './actions.ts'

/** The PHP versions that run on a server, as reported by its agent. */
export const phpVersionsOf = ({ services }: Pick<Server, 'services'>): string[] =>
  services
    .flatMap(({ name, detail }) => (name === 'php-fpm' ? (detail?.match(/^PHP (\d\.\d+)$/)?.[1] ?? []) : []))
    .sort()

/** Installs another PHP version on a server. 422 if its type has no PHP, or the server already has this version. */
export async function addPhp(
  { settings }: App,
  tx: Db,
  server: Server,
  phpVersion: string,
  by: { id: number | null; name: string },
): Promise<number> {
  const { id, name, type } = server
  if (!server.servicesWanted.includes('php-fpm')) throw refused(`Servers of type ${type} have no PHP`)
  if (phpVersionsOf(server).includes(phpVersion))
    throw refused(`${name} already has PHP ${phpVersion}`, { phpVersion: 'Already installed' })
  const on = { server: id, resource: { type: 'php-fpm', id, name } }
  const { phpRepository: uri } = settings
  const repository = uri && { uri, suite: 'bookworm', key: new URL('apt.gpg', uri).href }
  return start(tx, {
    kind: 'server.add-php',
    subject: { type: 'server', id, name },
    holder: by.name,
    startedById: by.id,
    plan: [
      step(phpVersionEnsure, { phpVersion, ...(repository && { repository }) }, on),
      step(phpEnsure, { phpVersion }, on),
    ],
    locks: [`server:${id}`],
  })
}

/** Declares the workflows of this file, for domain.ts. */
export function phpWorkflows(): void {
  describe('server.add-php', { title: 'Install PHP', doing: 'getting another PHP' })
  onEnd('server.add-php', (tx, { subjectId }) => changed(tx, 'servers', subjectId))
}
