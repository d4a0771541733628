import type { MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lazyDialog, lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { SectionBars } from '../../kit/frame/SectionBars.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { Aliases } from './Aliases.tsx'
import { mailboxesApi } from './api.ts'
import { Certificate } from './Certificate.tsx'
import { Limits } from './Limits.tsx'
import { MailboxActs } from './MailboxActs.tsx'
import { QueueButton } from './Queue.tsx'
import { Records } from './Records.tsx'
import { Trace } from './Trace.tsx'
import { Users } from './Users.tsx'
import { shownStatus, size, whyNot } from './words.ts'

const MoveModal = lazyDialog(() => import('./MoveModal.tsx'))
const StatusModal = lazyDialog(() => import('./StatusModal.tsx'))
const Reports = lazyPart(() => import('./Reports.tsx'), SectionBars)
const ServerMail = lazyPart(() => import('./ServerMail.tsx'), SectionBars)
const MoveState = lazyPart(() => import('./MoveState.tsx'), SectionBars)
const LastWork = lazyPart(() => import('./LastWork.tsx'), SectionBars)

export default numbered('mailboxId', MailboxScreen)

function MailboxScreen({ id }: { id: number }) {
  const query = useQuery(mailboxesApi.one.query({ id }))
  return query.data ? (
    <Page mailbox={query.data} />
  ) : (
    <Screen query={query} title="Mail domain">
      {null}
    </Screen>
  )
}

function Page({ mailbox }: { mailbox: MailboxDetails }) {
  const navigate = useNavigate()
  const [toggling, setToggling] = useState(false)
  const [moving, setMoving] = useState(false)
  const { domain, websiteId, websiteDomain, serverName, ownerName, host, state, suspended } = mailbox
  const why = suspended ? `${websiteDomain} is suspended, and so is its mail.` : whyNot(mailbox)
  return (
    <Screen
      title={domain}
      badge={<StatusBadge pill state={shownStatus(mailbox)} />}
      meta={
        <>
          {websiteId !== null && (
            <>
              <LinkTo to="/websites/$id" params={{ id: String(websiteId) }}>
                {websiteDomain}
              </LinkTo>
              <Dot />
            </>
          )}
          <Mono>{serverName}</Mono>
          <Dot />
          <Text>{ownerName ?? 'no owner'}</Text>
        </>
      }
      actions={
        <>
          <QueueButton server={mailbox.serverId} name={serverName} />
          <PageMenu>
            <MailboxActs
              mailbox={mailbox}
              setStatus={() => setToggling(true)}
              move={() => setMoving(true)}
              onRemoved={() => void navigate({ to: '/mailboxes/list' })}
            />
          </PageMenu>
        </>
      }
    >
      <Stack gap={18}>
        {state === 'failed' && (
          <Alert color="warning" title="The server does not have the last change">
            Its workflow stopped or was rolled back. Continue the workflow below, or choose “Apply again” in the menu.
          </Alert>
        )}
        {mailbox.move ? <MoveState mailbox={mailbox} /> : state !== 'applied' && <LastWork mailbox={mailbox} />}
        {why && <Alert color="warning">{why}</Alert>}
        <Users mailbox={mailbox} />
        <Aliases mailbox={mailbox} />
        <Limits mailbox={mailbox} />
        <Records mailbox={mailbox} />
        <Reports mailbox={mailbox} />
        <Trace mailbox={mailbox} />
        <ServerMail mailbox={mailbox} />
        <Section title="For mail programs">
          <Facts
            of={[
              ['Server', <Mono key="host">{host ?? 'not known yet'}</Mono>],
              ['Certificate', <Certificate key="certificate" mailbox={mailbox} />],
              ['User', 'the whole address'],
              ['Incoming', 'IMAP on 993 with TLS, or 143 with STARTTLS'],
              ['Outgoing', 'SMTP on 465 with TLS, or 587 with STARTTLS, with the same password'],
              [
                'Backups',
                websiteId === null
                  ? 'none: mail is backed up with a website, and the domain has none'
                  : `with each full backup of ${websiteDomain}`,
              ],
              ['Used', `${size(mailbox.usedMb)} of ${size(mailbox.quotaMb)} that its mailboxes may use`],
            ]}
          />
        </Section>
      </Stack>
      {toggling && <StatusModal mailbox={mailbox} close={() => setToggling(false)} />}
      {moving && <MoveModal mailbox={mailbox} close={() => setMoving(false)} />}
    </Screen>
  )
}
