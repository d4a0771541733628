import { api } from './api.ts'
import { archiveImport } from './archiveImport.ts'
import { backup } from './backup.ts'
import { bugReport } from './bugReport.ts'
import { calendar } from './calendar.ts'
import { configRestore } from './configRestore.ts'
import { database } from './database.ts'
import { dns } from './dns.ts'
import { dossier } from './dossier.ts'
import { employee } from './employee.ts'
import { featureRequest } from './featureRequest.ts'
import { fileManager } from './fileManager.ts'
import { ftpUser } from './ftpUser.ts'
import { internalTicket } from './internalTicket.ts'
import { ipset } from './ipset.ts'
import { logs } from './logs.ts'
import { mailbox } from './mailbox.ts'
import { operation } from './operation.ts'
import { qa } from './qa.ts'
import { scrums } from './scrums.ts'
import { server } from './server.ts'
import { sms } from './sms.ts'
import { ssl } from './ssl.ts'
import { systemUser } from './systemUser.ts'
import { users } from './users.ts'
import { vhost } from './vhost.ts'
import { website } from './website.ts'

/**
 * The catalogue of permissions: `service:resource:action` with a label, a file per service, in the order in which people
 * read them. Source: section 6 of the specification and its inventory of permissions. Only permissions of this catalogue
 * can be required or granted.
 */
export const permissions = {
  ...users,
  ...ipset,
  ...vhost,
  ...server,
  ...dns,
  ...ssl,
  ...database,
  ...systemUser,
  ...website,
  ...logs,
  ...backup,
  ...configRestore,
  ...archiveImport,
  ...qa,
  ...dossier,
  ...calendar,
  ...fileManager,
  ...bugReport,
  ...featureRequest,
  ...scrums,
  ...sms,
  ...mailbox,
  ...ftpUser,
  ...internalTicket,
  ...employee,
  ...api,
  ...operation,
}

export type Permission = keyof typeof permissions

/** Whether a stored text is a permission of the catalogue. */
export const isPermission = (text: string): text is Permission => Object.hasOwn(permissions, text)

/** The words of a permission; a stored one that left the catalogue keeps its name. */
export const permissionWords = (scope: string): string => (isPermission(scope) ? permissions[scope] : scope)

/** Permissions within a sentence: “See zones” and “Create zones”. */
export const permissionsWords = (scopes: readonly string[]): string =>
  scopes.map((scope) => `“${permissionWords(scope)}”`).join(' and ')
