import { type Delivery, deliveryStates, type Webhook } from '@innkeeper/contract/access/webhooks'
import { Alert } from '@mantine/core'
import { IconEye, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { SecretOnce } from '../../kit/dialogs/SecretOnce.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { moment } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { AttemptsModal } from './AttemptsModal.tsx'
import { webhooksApi } from './api.ts'
import { kindsText, messageColumns, stateOf } from './columns.tsx'
import { WebhookActs } from './WebhookActs.tsx'

export default numbered('webhookId', WebhookScreen)

/** Hours for which the old secret signs too, after a new one was made here. */
const OVERLAP = 24

function WebhookScreen({ id }: { id: number }) {
  const query = useQuery(webhooksApi.one.query({ id }))
  return query.data ? <Page hook={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Page({ hook }: { hook: Webhook }) {
  const { id, name, url } = hook
  const lacking = useReason()
  const list = useList(webhooksApi.deliveries, { filters: ['state'], fixed: { id }, holds: true })
  const [shown, show] = useState<Delivery>()
  const [secret, setSecret] = useState<string>()
  const rotate = async () => {
    const sure = await confirm({
      title: `Make a new secret for ${name}?`,
      text: `Messages are signed with both secrets for ${OVERLAP} hours, so that you can exchange it at the receiver.`,
      verb: 'Make new secret',
    })
    if (!sure) return
    const made = await attempt(() => webhooksApi.rotate({ id, oldValidHours: OVERLAP }), ['webhooks'])
    setSecret(made?.secret)
  }
  return (
    <Screen
      scroll={false}
      title={name}
      meta={`${url}, ${kindsText(hook)}, owned by ${hook.ownerName}`}
      actions={
        <>
          <StatusBadge pill state={stateOf(hook)} />
          <ActButton variant="default" reason={lacking(webhooksApi.rotate)} onClick={() => void rotate()}>
            New secret…
          </ActButton>
          <PageMenu label={`Actions of ${name}`}>
            <WebhookActs hook={hook} />
          </PageMenu>
        </>
      }
    >
      {(hook.pausedBecause ?? hook.failingSince) && (
        <Alert color={hook.pausedBecause ? 'error' : 'warning'} m={14} role="status">
          {hook.pausedBecause ??
            `Messages have failed since ${moment(hook.failingSince ?? '')}. They are tried again for a day.`}
        </Alert>
      )}
      <ListTable
        name="webhook-messages"
        noun={['message', 'messages']}
        list={list}
        columns={messageColumns}
        card={({ domain, objectId, state }) => (
          <span>
            {domain} {objectId} <StatusBadge state={state} />
          </span>
        )}
        label={({ messageId }) => messageId}
        menu={(message) => <MessageActs id={id} message={message} show={show} />}
        filters={[
          {
            key: 'state',
            label: 'State',
            single: true,
            options: deliveryStates.map((value) => ({ value, label: value })),
          },
        ]}
        empty={{
          title: 'No message yet',
          text: 'Each change of an object that the owner may read leads to a message here. Messages stay for 14 days.',
          tag: 'MS',
        }}
      />
      {shown && <AttemptsModal id={id} message={shown} close={() => show(undefined)} />}
      {secret && (
        <SecretOnce
          title={`New secret of ${name}`}
          text="Enter it at the receiver."
          label="secret"
          secret={secret}
          close={() => setSecret(undefined)}
        />
      )}
    </Screen>
  )
}

function MessageActs({ id, message, show }: { id: number; message: Delivery; show: (message: Delivery) => void }) {
  const lacking = useReason()
  const resend = async () => {
    const sent = await succeeds(() => webhooksApi.resend({ id, delivery: message.id }), ['webhooks'])
    if (sent) toast.success('The message is sent again')
  }
  return (
    <>
      <MenuAction label="Attempts" icon={<IconEye size={15} />} onClick={() => show(message)} />
      <MenuAction
        label="Send again"
        icon={<IconRefresh size={15} />}
        reason={lacking(webhooksApi.resend)}
        onClick={() => void resend()}
      />
    </>
  )
}
