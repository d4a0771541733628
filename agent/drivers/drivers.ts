import type { Drivers } from '../kit/driver.ts'
import { acmeAnswer } from './acmeAnswer.ts'
import { updateAgent } from './agentUpdate.ts'
import { apache } from './apache.ts'
import { restCrontab, takeCrontab } from './crontab.ts'
import { ensureDatabase, removeDatabase, restoreDatabase } from './database.ts'
import { dumpDatabase, loadDatabase, markDatabase } from './databaseCopy.ts'
import { inspectDatabase } from './databaseInspect.ts'
import { ensureDatabaseUser, removeDatabaseUser, restoreDatabaseUser } from './databaseUser.ts'
import { ensureDocumentRoot, removeDocumentRoot, restoreDocumentRoot } from './documentRoot.ts'
import { documentRootChanges } from './documentRootChanges.ts'
import { copyDocumentRoot } from './documentRootCopy.ts'
import { mergeDocumentRoot, revertDocumentRoot } from './documentRootMerge.ts'
import { renameDocumentRoot, unlinkDocumentRoot } from './documentRootRename.ts'
import { dovecot } from './dovecot.ts'
import { clearEdgeCache } from './edgeCache.ts'
import { compareEdgeSites, ensureEdgeSite, removeEdgeSite } from './edgeSite.ts'
import { readEdgeTraffic } from './edgeTraffic.ts'
import { listHeldMail } from './heldMail.ts'
import { ensureIpSet, removeIpSet } from './ipSet.ts'
import { compareIpSets, lookAtIpSet } from './ipSetLook.ts'
import { logLines } from './logLines.ts'
import { mariadb } from './mariadb.ts'
import { migrationLook } from './migrationLook.ts'
import { packLogs, takeLogs } from './movedLogs.ts'
import { nginx } from './nginx.ts'
import { nginxCache } from './nginxCache.ts'
import { packages } from './packages.ts'
import { php } from './php.ts'
import { ensurePhpPool, removePhpPool, renewPhpPools } from './phpPool.ts'
import { ensurePhpVersion } from './phpVersion.ts'
import { postfix } from './postfix.ts'
import { postgresql } from './postgresql.ts'
import { powerdns } from './powerdns.ts'
import { ensureRedis, removeRedis } from './redis.ts'
import { redisStatus } from './redisStatus.ts'
import { restic } from './restic.ts'
import { serverInspect } from './serverInspect.ts'
import { sftp } from './sftp.ts'
import { ensureSftpAccess } from './sftpAccess.ts'
import { ensureSite, removeSite, restoreLogs } from './site.ts'
import { adaptConfig } from './siteConfig.ts'
import { renameSite } from './siteRename.ts'
import { ensureSystemUser, removeSystemUser, restoreSystemUser } from './systemUser.ts'
import { systemUserUsage } from './systemUserUsage.ts'
import { ensureEdgeTls, ensureTlsSite, removeEdgeTls, removeTlsSite } from './tlsSite.ts'
import { close, fetchFile, openFor, pullFolder, verifyFolder } from './transfer.ts'
import { purgeTrash } from './trash.ts'
import { compareVhostFiles } from './vhostFiles.ts'
import { ensureWebServer } from './webBase.ts'
import { replaceInFiles, searchFiles } from './websiteFiles.ts'
import { ensureZone } from './zoneEnsure.ts'
import { compareZones, fetchZone, readZone, removeZone } from './zoneFetch.ts'

/** Every operation of the contract has its driver here, or this does not compile. */
export const drivers: Drivers = {
  'packages.ensure': packages,
  'nginx.ensure': ensureWebServer(nginx, apache),
  'apache.ensure': ensureWebServer(apache, nginx),
  'php.ensure': php,
  'php-version.ensure': ensurePhpVersion,
  'nginx-cache.ensure': nginxCache,
  'powerdns.ensure': powerdns,
  'mariadb.ensure': mariadb,
  'postgresql.ensure': postgresql,
  'postfix.ensure': postfix,
  'dovecot.ensure': dovecot,
  'restic.ensure': restic,
  'dns-zone.ensure': ensureZone,
  'dns-zone.fetch': fetchZone,
  'dns-zone.remove': removeZone,
  'dns-zones.compare': compareZones,
  'dns-zone.read': readZone,
  'ip-set.ensure': ensureIpSet,
  'ip-set.remove': removeIpSet,
  'ip-sets.compare': compareIpSets,
  'ip-set.look': lookAtIpSet,
  'system-user.ensure': ensureSystemUser,
  'system-user.remove': removeSystemUser,
  'system-user.restore': restoreSystemUser,
  'document-root.ensure': ensureDocumentRoot,
  'document-root.remove': removeDocumentRoot,
  'document-root.restore': restoreDocumentRoot,
  'document-root.rename': renameDocumentRoot,
  'document-root.unlink': unlinkDocumentRoot,
  'website-files.search': searchFiles,
  'website-files.replace': replaceInFiles,
  'php-pool.ensure': ensurePhpPool,
  'php-pool.remove': removePhpPool,
  'php-pool.renew': renewPhpPools,
  'nginx-site.ensure': ensureSite(nginx),
  'nginx-site.rename': renameSite(nginx),
  'nginx-site.remove': removeSite(nginx),
  'apache-site.ensure': ensureSite(apache),
  'apache-site.rename': renameSite(apache),
  'apache-site.remove': removeSite(apache),
  'acme-answer.ensure': acmeAnswer,
  'tls-site.ensure': ensureTlsSite,
  'tls-site.remove': removeTlsSite,
  'edge-tls.ensure': ensureEdgeTls,
  'edge-tls.remove': removeEdgeTls,
  'edge-site.ensure': ensureEdgeSite,
  'edge-site.remove': removeEdgeSite,
  'edge-cache.clear': clearEdgeCache,
  'edge-sites.compare': compareEdgeSites,
  'edge-traffic.read': readEdgeTraffic,
  'vhost-files.compare': compareVhostFiles,
  'database.ensure': ensureDatabase,
  'database.remove': removeDatabase,
  'database.restore': restoreDatabase,
  'database-user.ensure': ensureDatabaseUser,
  'database-user.remove': removeDatabaseUser,
  'database-user.restore': restoreDatabaseUser,
  'database.marks': markDatabase,
  'database.dump': dumpDatabase,
  'database.load': loadDatabase,
  'database.inspect': inspectDatabase,
  'document-root.copy': copyDocumentRoot,
  'document-root.changes': documentRootChanges,
  'document-root.merge': mergeDocumentRoot,
  'document-root.revert': revertDocumentRoot,
  'site-config.adapt': adaptConfig,
  'held-mail.list': listHeldMail,
  'website-logs.restore': restoreLogs,
  'trash.purge': purgeTrash,
  'transfer.open': openFor,
  'transfer.close': close,
  'transfer.pull': pullFolder,
  'transfer.verify': verifyFolder,
  'transfer.fetch': fetchFile,
  'website-logs.pack': packLogs,
  'website-logs.take': takeLogs,
  'crontab.rest': restCrontab,
  'crontab.take': takeCrontab,
  'migration.look': migrationLook,
  'sftp.ensure': sftp,
  'sftp-access.ensure': ensureSftpAccess,
  'redis.ensure': ensureRedis,
  'redis.remove': removeRedis,
  'agent.update': updateAgent,
  'system-user.usage': systemUserUsage,
  'redis.status': redisStatus,
  'server.inspect': serverInspect,
  'website.log-lines': logLines,
}
