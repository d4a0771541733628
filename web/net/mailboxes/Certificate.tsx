import type { MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import { Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { moment } from '../../kit/look/format.ts'

/** Which certificate the mail host shows, and how it gets one that mail programs trust. */
export function Certificate({ mailbox }: { mailbox: MailboxDetails }) {
  const problem = mailbox.certificateProblem
  return (
    <>
      <Shown mailbox={mailbox} />
      {problem && (
        <Text c="warning">
          The certificate of the website could not be installed: {problem.why}. Innkeeper tries again{' '}
          {moment(problem.nextTry)}; “Apply again” in the menu tries now.
        </Text>
      )}
    </>
  )
}

function Shown({ mailbox: { certificate, websiteId, websiteDomain, domain } }: { mailbox: MailboxDetails }) {
  if (certificate) {
    const isOver = new Date(certificate.notAfter) < new Date()
    return (
      <Text span c={isOver ? 'danger' : undefined}>
        {certificate.issuer ?? 'unknown authority'}, {isOver ? 'expired' : 'valid until'} {moment(certificate.notAfter)}
      </Text>
    )
  }
  return (
    <>
      that of the server, which mail programs do not trust.{' '}
      {websiteId === null ? (
        `Connect the mail domain to a website, and order its certificate with mail.${domain}.`
      ) : (
        <>
          <LinkTo to="/ssl/create" search={{ website: String(websiteId) }} underline="always">
            Order a certificate of {websiteDomain}
          </LinkTo>{' '}
          with the name mail.{domain}: the mail server gets it within a minute, and each renewal too.
        </>
      )}
    </>
  )
}
