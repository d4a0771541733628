import type { MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { REFUSED_SPAM_SCORE } from '@innkeeper/contract/net/mailboxes/mail'
import { Checkbox, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { MomentField } from '../../../kit/form/MomentField.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { TagsInputField } from '../../../kit/form/TagsInputField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Dot } from '../../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { counted } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { domains } from '../acts.ts'
import { mailboxesApi } from '../api.ts'
import { inGb, statuses, usage, userStatus } from '../words.ts'
import { Passwords } from './Passwords.tsx'
import { Stopped } from './Stopped.tsx'
import { UserActs } from './UserActs.tsx'

const ImportModal = lazyDialog(() => import('./ImportModal.tsx'))

export default numbered('userId', UserEditScreen)

function UserEditScreen({ id }: { id: number }) {
  const query = useQuery(mailboxesApi.user.query({ id }))
  const [importing, setImporting] = useState(false)
  return query.data ? (
    <>
      <Form user={query.data} importMail={() => setImporting(true)} />
      {importing && <ImportModal user={query.data} close={() => setImporting(false)} />}
    </>
  ) : (
    <Screen query={query} title="Mailbox">
      {null}
    </Screen>
  )
}

function Form({ user, importMail }: { user: MailboxUser; importMail: () => void }) {
  const navigate = useNavigate()
  const toDomain = () =>
    void navigate({ to: '/mailboxes/edit/$mailboxId', params: { mailboxId: String(user.mailboxId) } })
  const { id, name, quotaMb, status, reason, until, forwards, keepCopy, autoReply, hourlyLimit, spamScore, version } =
    useOpened(user)
  const form = useCallForm(mailboxesApi.updateUser, {
    initial: {
      ...{
        name,
        quotaMb,
        status: status as string,
        reason,
        until: until ?? '',
        forwards,
        keepCopy,
        autoReply,
        version,
      },
      hourlyLimit: (hourlyLimit ?? '') as number | '',
      spamScore: (spamScore ?? '') as number | '',
    },
    fixed: { id },
    labels: { name: 'Name', quotaMb: 'Quota', forwards: 'Forwards', autoReply: 'Automatic reply' },
    onDone: () => {
      void readAgain(domains)
      toast.info(`Changing ${user.address}`)
      toDomain()
    },
  })
  const { values, set, field } = form
  const quota = field('quotaMb')
  const limit = field('hourlyLimit')
  const score = field('spamScore')
  const { required: _, onChange: onStatus, ...statusField } = field('status')
  const { required: __, ...end } = field('until')
  const { required: ___, ...targets } = field('forwards')
  const lacksReason = values.status !== 'active' && values.reason.trim() === ''
  return (
    <FormScreen
      form={form}
      title={user.address}
      badge={<StatusBadge pill state={userStatus(user)} />}
      meta={
        <>
          <LinkTo to="/mailboxes/edit/$mailboxId" params={{ mailboxId: String(user.mailboxId) }}>
            {user.domain}
          </LinkTo>
          <Dot />
          {usage(user)}
        </>
      }
      actions={
        <PageMenu>
          <UserActs user={user} importMail={importMail} onRemoved={toDomain} />
        </PageMenu>
      }
      nothing="Nothing was saved."
      edits
      left={lacksReason ? 'Still needed: a reason' : (form.lack ?? 'Not saved yet.')}
      save="Save mailbox"
      disabled={lacksReason}
      onCancel={toDomain}
    >
      {user.stoppedAt && <Stopped user={user} />}
      <TextInput label="Name" description="Who reads it" autoComplete="off" {...form.text('name')} />
      <NumberField
        label="Quota"
        suffix=" MB"
        description={inGb(quota.value)}
        min={1}
        {...quota}
        onChange={(value) => quota.onChange(Number(value))}
      />
      <Select
        label="Status"
        allowDeselect={false}
        data={statuses}
        {...statusField}
        onChange={(value) => {
          onStatus(value ?? status)
          if (value === 'active') {
            set('reason', '')
            set('until', '')
          }
        }}
      />
      {values.status !== 'active' && (
        <>
          <TextInput label="Reason" withAsterisk description="Colleagues see it" {...form.text('reason')} />
          <MomentField label="Ends by itself" description="Empty: until somebody activates it" {...end} />
        </>
      )}
      <TagsInputField
        label="Forwards to"
        description="Press Enter after each address"
        placeholder={values.forwards.length ? undefined : 'name@example.org'}
        splitChars={[',', ' ', ';']}
        {...targets}
      />
      {values.forwards.length > 0 && (
        <Checkbox
          label="Keep a copy in the mailbox"
          checked={values.keepCopy}
          error={field('keepCopy').error}
          onChange={({ currentTarget }) => set('keepCopy', currentTarget.checked)}
        />
      )}
      <AutoReplyFields
        value={values.autoReply}
        onChange={(next) => set('autoReply', next)}
        error={field('autoReply').error}
      />
      <NumberField
        label="Recipients an hour"
        description={
          Number(values.hourlyLimit) > user.accountLimit
            ? `All senders of its account together may write to ${counted(user.accountLimit, ['recipient', 'recipients'])} an hour, which rules`
            : 'Empty: as its plan. A limit bounds what a stolen password can send'
        }
        min={1}
        {...limit}
        onChange={(value) => limit.onChange(value === '' ? '' : Number(value))}
      />
      <NumberField
        label="Spam threshold"
        description={`Score from which mail goes into Junk. Empty: that of the mail domain. ${REFUSED_SPAM_SCORE}: never`}
        min={1}
        max={REFUSED_SPAM_SCORE}
        {...score}
        onChange={(value) => score.onChange(value === '' ? '' : Number(value))}
      />
      <Passwords user={user} />
    </FormScreen>
  )
}

type Reply = MailboxUser['autoReply']

function AutoReplyFields({
  value,
  onChange,
  error,
}: {
  value: Reply
  onChange: (next: Reply) => void
  error: string | undefined
}) {
  return (
    <>
      <Switch
        label="Automatic reply"
        description="Each sender gets it once in seven days; mailing lists and automatic mail never get it"
        checked={value !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? { subject: '', text: '' } : null)}
      />
      {value && (
        <>
          <TextInput
            label="Subject"
            withAsterisk
            maxLength={200}
            value={value.subject}
            error={error}
            onChange={({ currentTarget }) => onChange({ ...value, subject: currentTarget.value })}
          />
          <Textarea
            label="Text"
            withAsterisk
            autosize
            minRows={3}
            maxLength={4000}
            value={value.text}
            onChange={({ currentTarget }) => onChange({ ...value, text: currentTarget.value })}
          />
          <DateField
            label="From"
            value={value.from ?? ''}
            onChange={(from) => onChange({ ...value, from: from || undefined })}
          />
          <DateField
            label="Until and including"
            value={value.until ?? ''}
            onChange={(until) => onChange({ ...value, until: until || undefined })}
          />
        </>
      )}
    </>
  )
}
