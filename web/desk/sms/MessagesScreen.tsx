import { messageStatuses, type SmsMessage } from '@innkeeper/contract/desk/sms/shapes'
import { IconRepeat, IconX } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { PageTabs } from '../../kit/frame/PageTabs.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { smsApi } from './api.ts'
import { BatchList } from './BatchList.tsx'
import { MessageCard, messageColumns } from './columns.tsx'
import { OptOutList } from './OptOutList.tsx'
import { ReplyList } from './ReplyList.tsx'

const tabs = { messages: 'Messages', sends: 'Sends', answers: 'Answers', out: 'Opted out' } as const

export default function MessagesScreen() {
  const { tab } = useSearch({ strict: false })
  const shown = Object.keys(tabs).find((one) => one === tab) ?? 'messages'
  const navigate = useNavigate()
  return (
    <Screen
      scroll={false}
      actions={
        <CreateButton call={smsApi.send} to="/sms/messages/create">
          Send a message
        </CreateButton>
      }
      tabs={
        <PageTabs
          of={tabs}
          at={shown}
          show={(next) => void navigate({ to: '.', search: next && next !== 'messages' ? { tab: next } : {} })}
        />
      }
    >
      {shown === 'messages' && <MessageList />}
      {shown === 'sends' && <BatchList />}
      {shown === 'answers' && <ReplyList />}
      {shown === 'out' && <OptOutList />}
    </Screen>
  )
}

function MessageList() {
  const list = useList(smsApi.messages, { filters: ['search', 'status', 'kind', 'report', 'batchId'] })
  return (
    <ListTable
      name="sms-messages"
      noun={['message', 'messages']}
      list={list}
      columns={messageColumns}
      card={(message) => <MessageCard message={message} />}
      label={({ to, userName }) => `Message to ${userName ?? to}`}
      menu={(message) => <MessageActs message={message} />}
      search={{ key: 'search', placeholder: 'Number or text' }}
      filters={[
        {
          key: 'status',
          label: 'Status',
          options: messageStatuses.map((value) => ({ value, label: stateOf(value).word })),
        },
        {
          key: 'kind',
          label: 'Kind',
          options: [
            { value: 'message', label: 'Message' },
            { value: 'alert', label: 'Alert' },
            { value: 'test', label: 'Test' },
          ],
        },
        { key: 'report', label: 'Delivery report', options: [{ value: 'missing', label: 'Missing' }] },
      ]}
      empty={{
        title: 'No message yet',
        text: 'Messages are listed with what the operator reports: sent, delivered, or why not.',
        tag: 'SM',
      }}
    />
  )
}

const ended: readonly SmsMessage['status'][] = ['failed', 'undelivered', 'cancelled']

function MessageActs({ message: { id, status, errorCode } }: { message: SmsMessage }) {
  const lacking = useReason()
  const cancel = async () => {
    const done = await attempt(() => smsApi.cancelMessage({ id }), ['sms'])
    if (done) toast.success('The message is cancelled')
  }
  const again = async () => {
    const done = await attempt(() => smsApi.again({ id }), ['sms'])
    if (done) toast.success('The message is queued again')
  }
  return (
    <>
      <MenuAction
        label="Send again"
        icon={<IconRepeat size={15} />}
        reason={
          lacking(smsApi.again) ??
          (ended.includes(status) || errorCode === 'no-report' ? undefined : 'The message is queued or on its way')
        }
        onClick={() => void again()}
      />
      <MenuAction
        label="Cancel"
        danger
        icon={<IconX size={15} />}
        reason={lacking(smsApi.cancelMessage) ?? (status === 'queued' ? undefined : 'The message is no longer queued')}
        onClick={() => void cancel()}
      />
    </>
  )
}
