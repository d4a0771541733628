import type { Drivers } from '../kit/driver.ts'
import { restCrontab, takeCrontab } from './accounts/crontab.ts'
import { ensureSystemUser, removeSystemUser, restoreSystemUser } from './accounts/systemUser.ts'
import { systemUserUsage } from './accounts/systemUserUsage.ts'
import { apache } from './apache/apache.ts'
import { adaptConfig } from './applications/siteConfig.ts'
import { restic } from './backup/restic.ts'
import { powerdns } from './dns/powerdns.ts'
import { compareZones, readZone } from './dns/zoneCompare.ts'
import { ensureZone } from './dns/zoneEnsure.ts'
import { fetchZone, removeZone } from './dns/zoneFetch.ts'
import { readZoneKeys } from './dns/zoneKeys.ts'
import { clearEdgeCache } from './edge/edgeCache.ts'
import { compareEdgeSites, ensureEdgeSite, removeEdgeSite } from './edge/edgeSite.ts'
import { readEdgeTraffic } from './edge/edgeTraffic.ts'
import { nginxCache } from './edge/nginxCache.ts'
import { ensureDocumentRoot, removeDocumentRoot, restoreDocumentRoot } from './files/documentRoot.ts'
import { documentRootChanges } from './files/documentRootChanges.ts'
import { copyDocumentRoot } from './files/documentRootCopy.ts'
import { linkDocumentRoot, renameDocumentRoot, unlinkDocumentRoot } from './files/documentRootRename.ts'
import { purgeTrash } from './files/trash.ts'
import { replaceInFiles, searchFiles } from './files/websiteFiles.ts'
import { ensureIpSet, removeIpSet } from './firewall/ipSet.ts'
import { compareIpSets, lookAtIpSet } from './firewall/ipSetLook.ts'
import { updateAgent } from './machine/agentUpdate.ts'
import { packages } from './machine/packages.ts'
import { serverInspect } from './machine/serverInspect.ts'
import { dovecot } from './mail/dovecot.ts'
import { listHeldMail } from './mail/heldMail.ts'
import { postfix } from './mail/postfix.ts'
import { endConnection, readConnections } from './mariadb/connections.ts'
import { ensureDatabase, removeDatabase, restoreDatabase } from './mariadb/database.ts'
import { convertDatabase } from './mariadb/databaseConvert.ts'
import { dumpDatabase, loadDatabase, markDatabase, unchangedDatabase } from './mariadb/databaseCopy.ts'
import { inspectDatabase } from './mariadb/databaseInspect.ts'
import { queryDatabase } from './mariadb/databaseQuery.ts'
import { renameDatabase } from './mariadb/databaseRename.ts'
import { measureDatabases } from './mariadb/databasesMeasure.ts'
import { ensureDatabaseUser, removeDatabaseUser, restoreDatabaseUser } from './mariadb/databaseUser.ts'
import { mariadb } from './mariadb/mariadb.ts'
import { bringMerge } from './merge/bringMerge.ts'
import { keepMerge } from './merge/keepMerge.ts'
import { prepareMerge } from './merge/prepareMerge.ts'
import { swapMerge } from './merge/swapMerge.ts'
import { checkWebsites } from './monitoring/check.ts'
import { nginx } from './nginx/nginx.ts'
import { php } from './php/php.ts'
import { ensurePhpPool, removePhpPool, renewPhpPools } from './php/phpPool.ts'
import { ensurePhpVersion } from './php/phpVersion.ts'
import { postgresql } from './postgresql/postgresql.ts'
import { ensureRedis, removeRedis } from './redis/redis.ts'
import { redisStatus } from './redis/redisStatus.ts'
import { sftp } from './sftp/sftp.ts'
import { ensureSftpAccess } from './sftp/sftpAccess.ts'
import { acmeAnswer } from './tls/acmeAnswer.ts'
import { ensureEdgeTls, ensureTlsSite, removeEdgeTls, removeTlsSite } from './tls/tlsSite.ts'
import { migrationLook } from './transfer/migrationLook.ts'
import { close, fetchFile, openFor, pullFolder, verifyFolder } from './transfer/transfer.ts'
import { logLines } from './webServer/logLines.ts'
import { packLogs, takeLogs } from './webServer/movedLogs.ts'
import { ensureProxies } from './webServer/proxies.ts'
import { ensureSite, removeSite, restoreLogs } from './webServer/site.ts'
import { renameSite } from './webServer/siteRename.ts'
import { compareVhostFiles } from './webServer/vhostFiles.ts'
import { ensureWebServer } from './webServer/webBase.ts'

/** The driver of each operation. The compiler rejects a missing one. */
export const drivers: Drivers = {
  'packages.ensure': packages,
  'nginx.ensure': ensureWebServer(nginx, apache),
  'apache.ensure': ensureWebServer(apache, nginx),
  'php.ensure': php,
  'php-version.ensure': ensurePhpVersion,
  'web-proxies.ensure': ensureProxies,
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
  'dns-zone.keys': readZoneKeys,
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
  'document-root.link': linkDocumentRoot,
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
  'websites.check': checkWebsites,
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
  'database.rename': renameDatabase,
  'database.convert': convertDatabase,
  'database-user.ensure': ensureDatabaseUser,
  'database-user.remove': removeDatabaseUser,
  'database-user.restore': restoreDatabaseUser,
  'database.marks': markDatabase,
  'database.unchanged': unchangedDatabase,
  'database.dump': dumpDatabase,
  'database.load': loadDatabase,
  'databases.measure': measureDatabases,
  'database.connections': readConnections,
  'database-connection.end': endConnection,
  'database.query': queryDatabase,
  'database.inspect': inspectDatabase,
  'document-root.copy': copyDocumentRoot,
  'document-root.changes': documentRootChanges,
  'merge.prepare': prepareMerge,
  'merge.swap': swapMerge,
  'merge.keep': keepMerge,
  'merge.bring': bringMerge,
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
