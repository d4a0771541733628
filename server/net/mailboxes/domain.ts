import { mailboxes as mailboxesContract } from '@innkeeper/contract/net/mailboxes/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { installCertificates, mailCertificateWorkflows } from './certificates.ts'
import { endStatuses, statusWorkflows } from './ends.ts'
import { notifyFullDisks } from './fullDisks.ts'
import { readGuesses } from './guessers.ts'
import { mailboxesHandlers } from './handlers.ts'
import { importWorkflows } from './imports/handlers.ts'
import { fetchDue } from './imports/late.ts'
import { mailboxWorkflows } from './lifecycle.ts'
import { mailMoveWorkflows, retireMoved } from './moves/ends.ts'
import { mailboxPart } from './part.ts'
import { readReports } from './reports/readReports.ts'
import { seedMailboxes } from './seed.ts'
import { readSenders } from './senders/readSenders.ts'
import { renewalSteps } from './steps.ts'
import { storedMail } from './storedMail.ts'
import * as tables from './tables.ts'
import { measureDue } from './usage.ts'

export const mailboxes: Domain = {
  calls: [calls('mailboxes', mailboxesContract, mailboxesHandlers)],
  workflows: [importWorkflows, mailCertificateWorkflows, statusWorkflows, mailboxWorkflows, mailMoveWorkflows],
  tables,
  subjects: { mailbox: { see: 'mailbox:mailbox:read', act: 'mailbox:mailbox:update' } },
  readScopes: { mailboxes: ['mailbox:mailbox:read'] },
  schedules: [
    { name: 'sizes of mailboxes', everyMs: 60_000, work: measureDue },
    { name: 'certificates of mail hosts', everyMs: 30_000, work: installCertificates },
    { name: 'ends of mail statuses', everyMs: 60_000, work: endStatuses },
    { name: 'former mail servers', everyMs: 60_000, work: retireMoved },
    { name: 'full disks of mail servers', everyMs: 60_000, work: notifyFullDisks },
    { name: 'guessers of mail passwords', everyMs: 10_000, work: readGuesses },
    { name: 'senders of outgoing mail', everyMs: 10_000, work: readSenders },
    { name: 'late mail of former servers', everyMs: 10_000, work: fetchDue },
    { name: 'reports of other mail servers', everyMs: 60_000, work: readReports },
  ],
  websiteParts: [mailboxPart],
  async agentUpdated(db, server) {
    const mail = await db.$count(tables.mailboxes, sql`server_id = ${server.id} and deleted_at is null`)
    return mail ? { after: await renewalSteps(db, server) } : {}
  },
  seed: { at: 46, run: (db) => seedMailboxes(db) },
  storedOn: storedMail,
  secrets: [
    {
      prefix: 'mailbox:',
      enter: {
        scope: 'mailbox:user:update',
        at: '/mailboxes/list',
        page: (_, rest) => sql`select '/mailboxes/edit/' || ${numberIn(rest)}`,
      },
      what: 'Passwords of the mailboxes of a domain',
      again:
        'Mailboxes: set a new password for each mailbox and application. The mail server keeps the old ones until then.',
      of: (_, rest) => sql`select domain from mailboxes where mailbox_id = ${numberIn(rest)}`,
    },
    {
      prefix: 'mail-import/',
      enter: {
        scope: 'mailbox:user:update',
        at: '/mailboxes/users/list',
        page: (_, rest) => sql`select '/mailboxes/users/edit/' || ${numberIn(rest)}`,
      },
      what: 'Password of a mailbox at its former server',
      again: 'Roll the import back and start it again.',
      of: (_, rest) => sql`select address from mailbox_users where mailbox_user_id = ${numberIn(rest)}`,
    },
    {
      prefix: 'mail-fetch/',
      enter: {
        scope: 'archive-import:import:start',
        at: '/archive-imports',
        page: (_, rest) => sql`select '/mailboxes/users/edit/' || ${numberIn(rest)}`,
      },
      what: 'Password of a mailbox at its former server, whose late mail is fetched',
      again: 'Enter it again in the import: late mail is fetched no more.',
      of: (_, rest) => sql`select address from mailbox_users where mailbox_user_id = ${numberIn(rest)}`,
    },
    {
      prefix: 'mail-move/',
      enter: {
        scope: 'mailbox:mailbox:update',
        at: '/mailboxes/list',
        page: (_, rest) =>
          sql`select '/mailboxes/edit/' || mailbox_id from mail_moves where mail_move_id = ${numberIn(rest)}`,
      },
      what: 'Key of a running move of a mail domain',
      again: 'Roll the move back and start it again.',
      of: (_, rest) =>
        sql`select domain from mail_moves join mailboxes using (mailbox_id) where mail_move_id = ${numberIn(rest)}`,
    },
  ],
}
