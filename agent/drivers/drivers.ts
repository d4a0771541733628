import type { Drivers } from '../kit/driver.ts'
import { ensureDocumentRoot, removeDocumentRoot } from './documentRoot.ts'
import { logLines } from './logLines.ts'
import { nginx } from './nginx.ts'
import { ensureNginxSite, removeNginxSite } from './nginxSite.ts'
import { packages } from './packages.ts'
import { php } from './php.ts'
import { ensurePhpPool, removePhpPool } from './phpPool.ts'
import { serverInspect } from './serverInspect.ts'
import { ensureSystemUser, removeSystemUser } from './systemUser.ts'

/** Every operation of the contract has its driver here, or this does not compile. */
export const drivers: Drivers = {
  'packages.ensure': packages,
  'nginx.ensure': nginx,
  'php.ensure': php,
  'system-user.ensure': ensureSystemUser,
  'system-user.remove': removeSystemUser,
  'document-root.ensure': ensureDocumentRoot,
  'document-root.remove': removeDocumentRoot,
  'php-pool.ensure': ensurePhpPool,
  'php-pool.remove': removePhpPool,
  'nginx-site.ensure': ensureNginxSite,
  'nginx-site.remove': removeNginxSite,
  'server.inspect': serverInspect,
  'website.log-lines': logLines,
}
