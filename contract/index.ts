import { accessReviews } from './access/accessReviews.ts'
import { apiTokens } from './access/apiTokens.ts'
import { auth } from './access/auth.ts'
import { departments } from './access/departments.ts'
import { elevations } from './access/elevations.ts'
import { log } from './access/log.ts'
import { notifications } from './access/notifications.ts'
import { passkeys } from './access/passkeys.ts'
import { profiles } from './access/profiles.ts'
import { providers } from './access/providers.ts'
import { recovery } from './access/recovery.ts'
import { roles } from './access/roles.ts'
import { scopes } from './access/scopes.ts'
import { secondFactor } from './access/secondFactor.ts'
import { serviceAccounts } from './access/serviceAccounts.ts'
import { users } from './access/users/calls.ts'
import { views } from './access/views.ts'
import { webhooks } from './access/webhooks.ts'
import { files } from './desk/files.ts'
import { operation } from './desk/operation.ts'
import { scrums } from './desk/scrums/calls.ts'
import { sms } from './desk/sms/calls.ts'
import { bugs } from './desk/trackers/bugs.ts'
import { features } from './desk/trackers/features.ts'
import { internalTickets } from './desk/trackers/internalTickets.ts'
import * as trackerSettings from './desk/trackers/settings.ts'
import { databases } from './hosting/databases/calls.ts'
import { ftpUsers } from './hosting/ftpUsers.ts'
import { groups } from './hosting/groups.ts'
import { monitoring } from './hosting/monitoring.ts'
import { moves } from './hosting/moves/calls.ts'
import { names } from './hosting/names/calls.ts'
import { owners } from './hosting/owners.ts'
import { plans } from './hosting/plans.ts'
import { redis } from './hosting/redis.ts'
import { sftp } from './hosting/sftp.ts'
import { stagings } from './hosting/stagings/calls.ts'
import { systemUsers } from './hosting/systemUsers.ts'
import { websites } from './hosting/websites.ts'
import { lostSecrets } from './lostSecrets.ts'
import { ipsets } from './machines/ipsets/calls.ts'
import { servers } from './machines/servers/calls.ts'
import { workflows } from './machines/workflows.ts'
import { dns } from './net/dns/calls.ts'
import { mailboxes } from './net/mailboxes/calls.ts'
import { originVhosts } from './net/originVhosts/calls.ts'
import { ssl } from './net/ssl/calls.ts'
import { vhosts } from './net/vhosts/calls.ts'
import { calendarEvents } from './planning/calendarEvents/calls.ts'
import { leaves } from './planning/leaves/calls.ts'
import { shifts } from './planning/shifts/calls.ts'
import { dossiers } from './quality/dossiers/calls.ts'
import { qcCalibrations } from './quality/qc/calibrations.ts'
import { qc } from './quality/qc/calls.ts'
import { qcChecks } from './quality/qc/checks.ts'
import { qcChats } from './quality/qc/conversations.ts'
import { qcCustomers } from './quality/qc/customers.ts'
import { qcMine } from './quality/qc/mine.ts'
import { qcReviewers } from './quality/qc/reviewers.ts'
import { qcCron, qcSettings } from './quality/qc/settings.ts'
import { qcSources } from './quality/qc/sources.ts'
import { qcStatistics } from './quality/qc/statistics.ts'
import { qcTickets } from './quality/qc/tickets.ts'
import { adoptions } from './recovery/adoptions/calls.ts'
import { archiveImports } from './recovery/archiveImports/calls.ts'
import { backups } from './recovery/backups/calls.ts'
import { configs } from './recovery/configs/calls.ts'

/**
 * All calls, one line per domain. The web never imports this file; its screens import the contract of their own domain.
 */
export const contract = {
  auth,
  secondFactor,
  passkeys,
  providers,
  elevations,
  accessReviews,
  recovery,
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
  archiveImports,
  adoptions,
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
  qcChecks,
  qcReviewers,
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
  operation,
  dossiers,
  serviceAccounts,
  apiTokens,
  webhooks,
}
