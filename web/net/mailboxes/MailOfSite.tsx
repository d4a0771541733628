import type { Website } from '@innkeeper/contract/hosting/websites'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'
import { shownStatus, size } from './words.ts'

/** The mail domains of a website. */
export default function MailOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(mailboxesApi.list.query({ websiteIds: [website.id] }))
  const lacking = useReason()
  const { busy, run } = useAct()
  const stays = website.status === 'active' ? undefined : `${website.domain} is ${website.status}.`
  const copy = website.kind === 'staging' ? 'A staging copy has no mail of its own.' : undefined
  const create = () =>
    run(async () => {
      await mailboxesApi.create({ websiteId: website.id })
      toast.info(`Creating the mail of ${website.domain}`)
      await readAgain(domains)
    })
  return (
    <Section
      title="Mail"
      pad={!data?.items.length}
      aside={
        <ActButton
          size="xs"
          variant="default"
          loading={busy}
          reason={lacking(mailboxesApi.create) ?? stays ?? copy}
          onClick={() => void create()}
        >
          Add mail
        </ActButton>
      }
    >
      {data?.items.map((mailbox) => (
        <div key={mailbox.id} className={css.line}>
          <div className={css.grow}>
            <LinkTo to="/mailboxes/edit/$mailboxId" params={{ mailboxId: String(mailbox.id) }}>
              {mailbox.domain}
            </LinkTo>
            <Text c="dimmed" fz="xs">
              {counted(mailbox.users, ['mailbox', 'mailboxes'])}, {size(mailbox.usedMb)} on {mailbox.serverName}
            </Text>
          </div>
          <StatusBadge state={shownStatus(mailbox)} />
        </div>
      ))}
      {!data?.items.length && (
        <Text c="dimmed">{error?.message ?? (data ? `None: ${website.domain} has no mail here.` : <Reading />)}</Text>
      )}
    </Section>
  )
}
