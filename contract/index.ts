import { auth } from './auth.ts'
import { backups } from './backups.ts'
import { calendarEvents } from './calendarEvents.ts'
import { configs } from './configs.ts'
import { databases } from './databases.ts'
import { departments } from './departments.ts'
import { dns } from './dns.ts'
import { dossiers } from './dossiers.ts'
import { files } from './files.ts'
import { ftpUsers } from './ftpUsers.ts'
import { groups } from './groups.ts'
import { ipsets } from './ipsets.ts'
import { leaves } from './leaves.ts'

import { log } from './log.ts'
import { lostSecrets } from './lostSecrets.ts'
import { mailboxes } from './mailboxes.ts'
import { monitoring } from './monitoring.ts'
import { moves } from './moves.ts'
import { names } from './names.ts'
import { notifications } from './notifications.ts'
import { originVhosts } from './originVhosts.ts'
import { owners } from './owners.ts'
import { plans } from './plans.ts'
import { profiles } from './profiles.ts'
import { qcCalibrations } from './qc/calibrations.ts'
import { qcChats } from './qc/conversations.ts'
import { qcCustomers } from './qc/customers.ts'
import { qcMine } from './qc/mine.ts'
import { qcCron, qcSettings } from './qc/settings.ts'
import { qcSources } from './qc/sources.ts'
import { qcStatistics } from './qc/statistics.ts'
import { qcTickets } from './qc/tickets.ts'
import { qc } from './qc.ts'
import { redis } from './redis.ts'
import { roles } from './roles.ts'
import { scopes } from './scopes.ts'
import { scrums } from './scrums.ts'
import { secondFactor } from './secondFactor.ts'
import { servers } from './servers.ts'
import { sftp } from './sftp.ts'
import { shifts } from './shifts.ts'
import { sms } from './sms.ts'
import { ssl } from './ssl.ts'
import { stagings } from './stagings.ts'
import { systemUsers } from './systemUsers.ts'
import { bugs } from './trackers/bugs.ts'
import { features } from './trackers/features.ts'
import { internalTickets } from './trackers/internalTickets.ts'
import * as trackerSettings from './trackers/settings.ts'
import { users } from './users.ts'
import { vhosts } from './vhosts.ts'
import { views } from './views.ts'
import { websites } from './websites.ts'
import { workflows } from './workflows.ts'

/**
 * All calls, one line per domain. The web never imports this file; its screens import the contract of their own domain.
 */
export const contract = {
  auth,
  secondFactor,
  users,
  roles,
  departments,
  scopes,
  profiles,
  notifications,
  files,
  log,
  lostSecrets,
  servers,
  dns,
  ipsets,
  ssl,
  backups,
  owners,
  plans,
  views,
  systemUsers,
  sftp,
  groups,
  moves,
  websites,
  names,
  monitoring,
  vhosts,
  originVhosts,
  redis,
  configs,
  ftpUsers,
  databases,
  mailboxes,
  stagings,
  calendarEvents,
  shifts,
  workflows,
  leaves,
  qc,
  qcChats,
  qcTickets,
  qcStatistics,
  qcSources,
  qcSettings,
  qcCron,
  qcMine,
  qcCalibrations,
  qcCustomers,
  bugs,
  features,
  internalTickets,
  bugStatuses: trackerSettings.bugStatuses,
  bugPriorities: trackerSettings.bugPriorities,
  bugComponents: trackerSettings.bugComponents,
  bugFolders: trackerSettings.bugFolders,
  bugDepartments: trackerSettings.bugDepartments,
  featureStatuses: trackerSettings.featureStatuses,
  featurePriorities: trackerSettings.featurePriorities,
  ticketStatuses: trackerSettings.ticketStatuses,
  ticketPriorities: trackerSettings.ticketPriorities,
  ticketComponents: trackerSettings.ticketComponents,
  scrums,
  sms,
  dossiers,
}
