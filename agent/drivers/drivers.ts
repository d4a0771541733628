import type { Drivers } from '../kit/driver.ts'
import { restCrontab, takeCrontab } from './accounts/crontab.ts'
import { ensureSystemUser, removeSystemUser, restoreSystemUser } from './accounts/systemUser.ts'
import { systemUserUsage } from './accounts/systemUserUsage.ts'
import { readPlaceCertificate } from './adopt/inPlace/certificate.ts'
import { lookAtPlace } from './adopt/inPlace/look.ts'
import { restPanel } from './adopt/inPlace/panelJobs.ts'
import { takePlace } from './adopt/inPlace/take.ts'
import { lookAtMachine } from './adopt/machine.ts'
import { openMachine, pullArchive } from './adopt/open.ts'
import { apache } from './apache/apache.ts'
import { findApplications } from './applications/findApplication.ts'
import { findNetwork } from './applications/findNetwork.ts'
import { adaptConfig } from './applications/siteConfig.ts'
import { bringAgain } from './archives/again.ts'
import { compareArchive } from './archives/compare.ts'
import { downloadArchive } from './archives/download.ts'
import { dropArchive, fetchArchive } from './archives/fetch.ts'
import { lookAtArchive, readArchiveSecrets } from './archives/look.ts'
import { unpackMail } from './archives/mail.ts'
import { unpackArchive } from './archives/unpack.ts'
import { listConfigs, readConfigs } from './configs/configs.ts'
import { previewReset, resetConfigs } from './configs/reset.ts'
import { databaseDrivers } from './databases.ts'
import { powerdns } from './dns/powerdns.ts'
import { compareZones, readZone } from './dns/zoneCompare.ts'
import { ensureZone } from './dns/zoneEnsure.ts'
import { fetchZone, removeZone } from './dns/zoneFetch.ts'
import { readZoneKeys } from './dns/zoneKeys.ts'
import { bringDump, dropDump, sendDump } from './dumps/fetch.ts'
import { clearEdgeCache } from './edge/edgeCache.ts'
import { compareEdgeSites, edgeTrust, ensureEdgeSite, removeEdgeSite } from './edge/edgeSite.ts'
import { readEdgeTraffic } from './edge/edgeTraffic.ts'
import { nginxCache } from './edge/nginxCache.ts'
import { ensureDocumentRoot, removeDocumentRoot, restoreDocumentRoot } from './files/documentRoot.ts'
import { documentRootChanges } from './files/documentRootChanges.ts'
import { closeDocumentRoot } from './files/documentRootClose.ts'
import { copyDocumentRoot } from './files/documentRootCopy.ts'
import { linkDocumentRoot, unlinkDocumentRoot } from './files/documentRootLink.ts'
import { renameDocumentRoot } from './files/documentRootRename.ts'
import { searchFiles } from './files/searchFiles.ts'
import { purgeTrash } from './files/trash.ts'
import { replaceInFiles } from './files/websiteFiles.ts'
import { ensureIpSet, removeIpSet } from './firewall/ipSet.ts'
import { compareIpSets, lookAtIpSet } from './firewall/ipSetLook.ts'
import { readActivity, readTransfers } from './ftp/ftpLook.ts'
import { ensureFtp } from './ftp/ftpServer.ts'
import { endSession, readSessions } from './ftp/ftpSessions.ts'
import { ensureFtpUser, removeFtpUser } from './ftp/ftpUser.ts'
import { updateAgent } from './machine/agentUpdate.ts'
import { packages } from './machine/packages.ts'
import { serverInspect } from './machine/serverInspect.ts'
import { dovecot } from './mail/dovecot.ts'
import { listHeldMail } from './mail/heldMail.ts'
import {
  ensureMailDomain,
  removeMailDomain,
  removeMailFolder,
  restoreMailDomain,
  restoreMailFolder,
} from './mail/mailDomain.ts'
import { mailFilter } from './mail/mailFilter.ts'
import { readMailGuesses } from './mail/mailGuesses.ts'
import { importMail } from './mail/mailImport.ts'
import { ensureMailKey, packMailKeys, takeMailKeys } from './mail/mailKey.ts'
import { pullMailFolder } from './mail/mailMove.ts'
import { actOnMailQueue, flushMailQueue, readMailQueue } from './mail/mailQueue.ts'
import { readMailReports } from './mail/mailReports.ts'
import { actOnMailSender, ensureMailLimits, readMailSenders } from './mail/mailSenders.ts'
import { ensureMailTls } from './mail/mailTls.ts'
import { readMailTrace } from './mail/mailTrace.ts'
import { readMailUsage } from './mail/mailUsage.ts'
import { postfix } from './mail/postfix.ts'
import { mariadb } from './mariadb/mariadb.ts'
import { bringMerge } from './merge/bringMerge.ts'
import { keepMerge } from './merge/keepMerge.ts'
import { prepareMerge } from './merge/prepareMerge.ts'
import { swapMerge } from './merge/swapMerge.ts'
import { checkWebsites } from './monitoring/check.ts'
import { nginx } from './nginx/nginx.ts'
import { php } from './php/php.ts'
import { listPhpExtensions } from './php/phpExtensions.ts'
import { ensurePhpPool, removePhpPool } from './php/phpPool.ts'
import { renewPhpPools } from './php/phpPoolRenewal.ts'
import { ensurePhpVersion } from './php/phpVersion.ts'
import { ensureAccess } from './postgresql/access.ts'
import { postgresql } from './postgresql/postgresql.ts'
import { ensureRedis, removeRedis } from './redis/redis.ts'
import { redisStatus } from './redis/redisStatus.ts'
import { lookAtAccess } from './remoteAccess/lookAtAccess.ts'
import { endArchive, readArchive } from './restic/archive.ts'
import { backupDatabase, backupFiles } from './restic/backup.ts'
import { prepareCopy, runCopy } from './restic/copy.ts'
import { runDrill } from './restic/drill.ts'
import { serveDrill } from './restic/drillServed.ts'
import { lookBefore } from './restic/lookBefore.ts'
import { backupMail } from './restic/mailBackup.ts'
import { mergeMail, prepareMail } from './restic/mailRestore.ts'
import { fetchOwnBackup, storeOwnBackup } from './restic/ownBackup.ts'
import { ensureProgram } from './restic/program.ts'
import {
  checkBucket,
  checkRepository,
  ensureRepository,
  forgetSnapshots,
  lookAtRepository,
  openRepository,
  pruneRepository,
  removeRepository,
  unlockRepository,
} from './restic/repository.ts'
import { fetchDump, keepRestore, prepareRestore, swapRestore } from './restic/restore.ts'
import { ensureAccount, ensureServer, removeServer } from './restic/server.ts'
import { restic } from './restic/service.ts'
import { backupSettings, readSettings, restoreCrontab } from './restic/settings.ts'
import { findInSnapshot, listSnapshot, versionsInSnapshots } from './restic/tree.ts'
import { sftp } from './sftp/sftp.ts'
import { ensureSftpAccess } from './sftp/sftpAccess.ts'
import { acmeAnswer } from './tls/acmeAnswer.ts'
import { ensureEdgeTls, ensureTlsSite, removeEdgeTls, removeTlsSite } from './tls/tlsSite.ts'
import { migrationLook } from './transfer/migrationLook.ts'
import { close, compareFolder, fetchFile, openFor, pullFolder, verifyFolder } from './transfer/transfer.ts'
import { checkSiteRules } from './webServer/checkRules.ts'
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
  'php-extensions.list': listPhpExtensions,
  'php-version.ensure': ensurePhpVersion,
  'web-proxies.ensure': ensureProxies,
  'nginx-cache.ensure': nginxCache,
  'powerdns.ensure': powerdns,
  'mariadb.ensure': mariadb,
  'postgresql.ensure': postgresql,
  'postgresql-access.ensure': ensureAccess,
  ...databaseDrivers,
  'remote-access.look': lookAtAccess,
  'postfix.ensure': postfix,
  'dovecot.ensure': dovecot,
  'restic.ensure': restic,
  'mail-filter.ensure': mailFilter,
  'mail-domain.ensure': ensureMailDomain,
  'mail-domain.remove': removeMailDomain,
  'mail-domain.restore': restoreMailDomain,
  'mail-folder.remove': removeMailFolder,
  'mail-folder.restore': restoreMailFolder,
  'mail-folder.pull': pullMailFolder,
  'mail-keys.pack': packMailKeys,
  'mail-keys.take': takeMailKeys,
  'mail-queue.flush': flushMailQueue,
  'mail-key.ensure': ensureMailKey,
  'mail-tls.ensure': ensureMailTls,
  'mail-usage.read': readMailUsage,
  'mail-trace.read': readMailTrace,
  'mail-guesses.read': readMailGuesses,
  'mail-queue.read': readMailQueue,
  'mail-queue.act': actOnMailQueue,
  'mail-import.run': importMail,
  'mail-reports.read': readMailReports,
  'mail-senders.read': readMailSenders,
  'mail-limits.ensure': ensureMailLimits,
  'mail-sender.act': actOnMailSender,
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
  'document-root.close': closeDocumentRoot,
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
  'edge-site.trust': edgeTrust,
  'edge-traffic.read': readEdgeTraffic,
  'vhost-files.compare': compareVhostFiles,
  'website-applications.find': findApplications,
  'website-network.find': findNetwork,
  'site-rules.check': checkSiteRules,
  'archive.fetch': fetchArchive,
  'archive.download': downloadArchive,
  'archive.look': lookAtArchive,
  'archive.secrets': readArchiveSecrets,
  'archive.unpack': unpackArchive,
  'archive.mail': unpackMail,
  'machine.look': lookAtMachine,
  'place.look': lookAtPlace,
  'panel.rest': restPanel,
  'place.take': takePlace,
  'place.certificate': readPlaceCertificate,
  'machine.open': openMachine,
  'archive.pull': pullArchive,
  'archive.again': bringAgain,
  'archive.compare': compareArchive,
  'archive.drop': dropArchive,
  'dump.fetch': bringDump,
  'dump.drop': dropDump,
  'dump.send': sendDump,
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
  'transfer.compare': compareFolder,
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
  'ftp.ensure': ensureFtp,
  'ftp-user.ensure': ensureFtpUser,
  'ftp-user.remove': removeFtpUser,
  'ftp.sessions': readSessions,
  'ftp-session.end': endSession,
  'ftp.transfers': readTransfers,
  'ftp.activity': readActivity,
  'backup-program.ensure': ensureProgram,
  'backup-server.ensure': ensureServer,
  'backup-server.remove': removeServer,
  'backup-store.check': checkBucket,
  'backup-account.ensure': ensureAccount,
  'backup-repository.ensure': ensureRepository,
  'backup-repository.open': openRepository,
  'backup-repository.remove': removeRepository,
  'backup-repository.forget': forgetSnapshots,
  'backup-repository.prune': pruneRepository,
  'backup-repository.check': checkRepository,
  'backup-repository.unlock': unlockRepository,
  'backup-repository.look': lookAtRepository,
  'backup-copy.prepare': prepareCopy,
  'backup-copy.run': runCopy,
  'own-backup.store': storeOwnBackup,
  'own-backup.fetch': fetchOwnBackup,
  'backup-tree.list': listSnapshot,
  'backup-tree.find': findInSnapshot,
  'backup-tree.versions': versionsInSnapshots,
  'backup-archive.read': readArchive,
  'backup-archive.end': endArchive,
  'restore-files.look': lookBefore,
  'backup-files.run': backupFiles,
  'backup-database.run': backupDatabase,
  'backup-settings.run': backupSettings,
  'backup-settings.read': readSettings,
  'crontab.restore': restoreCrontab,
  'restore-files.prepare': prepareRestore,
  'restore-files.swap': swapRestore,
  'restore-files.keep': keepRestore,
  'restore-dump.fetch': fetchDump,
  'backup-mail.run': backupMail,
  'restore-mail.prepare': prepareMail,
  'restore-mail.merge': mergeMail,
  'backup-drill.run': runDrill,
  'backup-drill.serve': serveDrill,
  'agent.update': updateAgent,
  'system-user.usage': systemUserUsage,
  'redis.status': redisStatus,
  'server.inspect': serverInspect,
  'website.log-lines': logLines,
  'configs.list': listConfigs,
  'configs.read': readConfigs,
  'configs.preview': previewReset,
  'configs.reset': resetConfigs,
}
