import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'

const words = { active: 'sends and receives', disabled: 'is disabled', 'receive-only': 'only receives' }
const many = (n: number, one: string, more: string) => `${n} ${n === 1 ? one : more}`

export const mailDomainEnsure = action('mail-domain.ensure', operations['mail-domain.ensure'], {
  title: 'Mail domain',
  what: ({ domain, state, users, aliases, moving }) =>
    moving
      ? moving.phase === 'held'
        ? `mail for ${domain} waits in the queue, and nobody signs in`
        : `${domain} is passed on to ${moving.to}`
      : `${domain} ${words[state]}: ${many(users.length, 'mailbox', 'mailboxes')}, ${many(aliases.length, 'alias', 'aliases')}`,
})
export const mailDomainRemove = action('mail-domain.remove', operations['mail-domain.remove'], {
  title: 'Mail domain',
  lane: 'long',
  what: ({ domain }) => `${domain} and its mail go into the trash`,
})
export const mailDomainRestore = action('mail-domain.restore', operations['mail-domain.restore'], {
  title: 'Mail domain',
  lane: 'long',
  what: ({ domain }) => `${domain} and its mail come out of the trash`,
})
export const mailFolderRemove = action('mail-folder.remove', operations['mail-folder.remove'], {
  title: 'Mail',
  what: () => 'the mail of a mailbox goes into the trash',
})
export const mailFolderRestore = action('mail-folder.restore', operations['mail-folder.restore'], {
  title: 'Mail',
  what: () => 'the mail of a mailbox comes out of the trash',
})
export const mailTlsEnsure = action('mail-tls.ensure', operations['mail-tls.ensure'], {
  title: 'Certificate',
  what: ({ domain }) => `mail.${domain} for Postfix and Dovecot`,
})
export const mailKeyEnsure = action('mail-key.ensure', operations['mail-key.ensure'], {
  title: 'DKIM key',
  what: ({ domain, selector }) => `${selector} of ${domain}`,
})
