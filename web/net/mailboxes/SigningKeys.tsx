import type { MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import { Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'

/** The DKIM keys of a mail domain. */
export function SigningKeys({
  mailbox,
  keys,
}: {
  mailbox: MailboxDetails
  keys: { id: number; selector: string; signs: boolean }[]
}) {
  const lacking = useReason()
  const make = async () => {
    const begun = await attempt(() => mailboxesApi.newKey({ id: mailbox.id }), domains)
    if (begun) toast.info('Making another DKIM key', 'Publish its record, then sign with it.')
  }
  const signWith = async (key: { id: number; selector: string }) => {
    const sure = await confirm({
      title: `Sign with ${key.selector}?`,
      text: 'Its record has to be published. Keep the record of the former key for a week: mail that it signed is still on its way.',
      verb: 'Sign with this key',
    })
    if (sure) await attempt(() => mailboxesApi.signWith({ id: mailbox.id, key: key.id }), domains)
  }
  return (
    <>
      {keys.map((key) => (
        <div key={key.id} className={css.line}>
          <Text className={css.grow}>
            DKIM key <Mono>{key.selector}</Mono>
            <Text span c="dimmed" fz="xs" display="block">
              {key.signs ? 'signs outgoing mail' : 'does not sign'}
            </Text>
          </Text>
          {!key.signs && (
            <ActButton
              size="xs"
              variant="default"
              reason={lacking(mailboxesApi.signWith)}
              onClick={() => void signWith(key)}
            >
              Sign with it…
            </ActButton>
          )}
        </div>
      ))}
      <div className={css.line}>
        <Text c="dimmed" fz="xs" className={css.grow}>
          A key is replaced with overlap: make another, publish its record, then sign with it.
        </Text>
        <ActButton size="xs" variant="default" reason={lacking(mailboxesApi.newKey)} onClick={() => void make()}>
          Make another key
        </ActButton>
      </div>
    </>
  )
}
