import { ExtensionHere } from '@innkeeper/contract/hosting/phpExtensions'
import { moduleOf, versionOf } from '@innkeeper/contract/net/originVhosts/shapes'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { refused } from '../../../kit/http/errors.ts'
import { readServer } from '../../../machines/servers/view.ts'
import { readOrigin } from './view.ts'

const Answer = z.object({ extensions: z.array(ExtensionHere) })

/**
 * The extensions that the server of a website has for a PHP version; default: that of the website. 503 if the server is
 * offline.
 */
export async function extensionsOf(app: App, id: number, phpModule?: string) {
  const { serverId, phpVersion } = await readOrigin(app.db, id)
  return extensionsOn(app, serverId, phpModule ? versionOf(phpModule) : phpVersion)
}

/** The extensions that a server has for a PHP version. 503 if the server is offline. */
export async function extensionsOn(app: App, serverId: number, phpVersion: string) {
  const server = await readServer(app, app.db, serverId)
  if (!server.phpVersions.includes(phpVersion)) {
    const why = `${server.name} has no PHP ${phpVersion}`
    throw refused(why, { phpModule: why })
  }
  const { extensions } = Answer.parse(await liveRead(app, serverId, 'php-extensions.list', { phpVersion }))
  return { phpModule: moduleOf(phpVersion), extensions, at: new Date().toISOString() }
}
