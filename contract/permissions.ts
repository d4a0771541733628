import { backup } from './permissions/backup.ts'
import { bugReport } from './permissions/bugReport.ts'
import { calendar } from './permissions/calendar.ts'
import { configRestore } from './permissions/configRestore.ts'
import { database } from './permissions/database.ts'
import { dns } from './permissions/dns.ts'
import { dossier } from './permissions/dossier.ts'
import { employee } from './permissions/employee.ts'
import { featureRequest } from './permissions/featureRequest.ts'
import { fileManager } from './permissions/fileManager.ts'
import { ftpUser } from './permissions/ftpUser.ts'
import { internalTicket } from './permissions/internalTicket.ts'
import { ipset } from './permissions/ipset.ts'
import { logs } from './permissions/logs.ts'
import { mailbox } from './permissions/mailbox.ts'
import { qa } from './permissions/qa.ts'
import { scrums } from './permissions/scrums.ts'
import { server } from './permissions/server.ts'
import { sms } from './permissions/sms.ts'
import { ssl } from './permissions/ssl.ts'
import { systemUser } from './permissions/systemUser.ts'
import { users } from './permissions/users.ts'
import { vhost } from './permissions/vhost.ts'
import { website } from './permissions/website.ts'

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
}

export type Permission = keyof typeof permissions

/** Whether a stored text is a permission of the catalogue. */
export const isPermission = (text: string): text is Permission => Object.hasOwn(permissions, text)
