import type { MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import { REFUSED_SPAM_SCORE, USUAL_SPAM_SCORE } from '@innkeeper/contract/net/mailboxes/mail'
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'
import { notChangeable } from './words.ts'

/** From which score mail goes into Junk, and how much the whole account may send. */
export function Limits({ mailbox }: { mailbox: MailboxDetails }) {
  const lacking = useReason()
  const [open, setOpen] = useState(false)
  const { spamScore, hourlyLimit } = mailbox
  const own = mailbox.items.filter((user) => user.spamScore !== null).length
  return (
    <Section
      title="Spam and limits"
      pad={false}
      aside={
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(mailboxesApi.update) ?? notChangeable(mailbox)}
          onClick={() => setOpen(true)}
        >
          Change…
        </ActButton>
      }
    >
      <div className={css.line}>
        <div className={css.grow}>
          <Text fw={450}>Spam goes into Junk</Text>
          <Text c="dimmed" fz="xs">
            {scoreText(spamScore ?? USUAL_SPAM_SCORE)}
            {own ? `; ${counted(own, ['mailbox has', 'mailboxes have'])} a threshold of their own` : ''}
          </Text>
        </div>
      </div>
      <div className={css.line}>
        <div className={css.grow}>
          <Text fw={450}>Sending of the whole account</Text>
          <Text c="dimmed" fz="xs">
            {hourlyLimit === null
              ? 'as much as its plan allows'
              : `${counted(hourlyLimit, ['recipient', 'recipients'])} an hour`}
            {above(mailbox)}
          </Text>
        </div>
      </div>
      {open && <Change mailbox={mailbox} close={() => setOpen(false)} />}
    </Section>
  )
}

/** The mailboxes whose own limit is above `limit`, or above that of their account, and so does not count. */
function above({ items }: MailboxDetails, limit?: number): string {
  const names = items
    .filter((user) => user.hourlyLimit !== null && user.hourlyLimit > (limit ?? user.accountLimit))
    .map((user) => user.localPart)
  if (names.length === 0) return ''
  const who = names.length > 3 ? `${names.length} mailboxes` : names.join(', ')
  return `; the higher limit of ${who} does not count`
}

/** Describes the effect of a spam threshold. */
const scoreText = (score: number) =>
  score >= REFUSED_SPAM_SCORE
    ? `never: mail with a score of ${REFUSED_SPAM_SCORE} or more is refused, all other mail goes into the inbox`
    : `with a score of ${score} or more; with ${REFUSED_SPAM_SCORE} or more it is refused`

function Change({ mailbox, close }: { mailbox: MailboxDetails; close: () => void }) {
  const { id, domain, spamScore, hourlyLimit, version } = mailbox
  const form = useCallForm(mailboxesApi.update, {
    initial: { spamScore: (spamScore ?? '') as number | '', hourlyLimit: (hourlyLimit ?? '') as number | '' },
    fixed: { id, version },
    labels: { spamScore: 'Spam threshold', hourlyLimit: 'Recipients an hour' },
    onDone: () => {
      void readAgain(domains)
      toast.info(`Changing ${domain}`)
      close()
    },
  })
  const score = form.field('spamScore')
  const limit = form.field('hourlyLimit')
  const orEmpty = (value: string | number) => (value === '' ? '' : Number(value))
  return (
    <FormModal
      opened
      close={close}
      title="Spam and limits"
      save="Save"
      form={{ ...form, valid: form.valid && form.dirty }}
      nothing="Nothing was changed."
    >
      <Stack gap={14}>
        <NumberField
          label="Spam threshold"
          description={`Score from which mail goes into Junk. Empty: ${USUAL_SPAM_SCORE}. ${REFUSED_SPAM_SCORE}: never`}
          min={1}
          max={REFUSED_SPAM_SCORE}
          {...score}
          onChange={(value) => score.onChange(orEmpty(value))}
        />
        <NumberField
          label="Recipients an hour"
          description={`For all mailboxes and websites of its account together. Empty: as its plan${limit.value === '' ? '' : above(mailbox, Number(limit.value))}`}
          min={1}
          {...limit}
          onChange={(value) => limit.onChange(orEmpty(value))}
        />
      </Stack>
    </FormModal>
  )
}
