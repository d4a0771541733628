import type { MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { MOST_APP_PASSWORDS } from '@innkeeper/contract/net/mailboxes/mail'
import { Group, Input, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, moment } from '../../../kit/look/format.ts'
import { domains, newPassword, removeAppPassword } from '../acts.ts'
import { mailboxesApi } from '../api.ts'
import css from '../Mailboxes.module.css'
import { PasswordOnce } from '../PasswordOnce.tsx'

/** The password of a mailbox, and those of applications. */
export function Passwords({ user }: { user: MailboxUser }) {
  const lacking = useReason()
  const [made, setMade] = useState<string>()
  const [name, setName] = useState('')
  const reason = lacking(mailboxesApi.updateUser)
  const full = user.appPasswords.length >= MOST_APP_PASSWORDS ? `At most ${MOST_APP_PASSWORDS}.` : undefined
  const add = async () => {
    const begun = await attempt(() => mailboxesApi.addAppPassword({ id: user.id, name }), domains)
    if (!begun) return
    setName('')
    setMade(begun.password)
  }
  return (
    <Input.Wrapper label="Passwords" description="Only their hashes are stored">
      <div className={css.line}>
        <Text className={css.grow}>
          Password of the mailbox
          <Text span c="dimmed" fz="xs" display="block">
            {user.passwordSetAt ? `set ${moment(user.passwordSetAt)}` : 'none'}
          </Text>
        </Text>
        <ActButton size="xs" variant="default" reason={reason} onClick={() => void newPassword(user).then(setMade)}>
          New password…
        </ActButton>
      </div>
      {user.appPasswords.map((one) => (
        <div key={one.id} className={css.line}>
          <Text className={css.grow}>
            {one.name}
            <Text span c="dimmed" fz="xs" display="block">
              by {one.addedBy}, {ago(one.createdAt)}
            </Text>
          </Text>
          <ActButton
            size="xs"
            variant="default"
            reason={reason}
            onClick={() => void removeAppPassword(user, one.id, one.name)}
          >
            Remove…
          </ActButton>
        </div>
      ))}
      <Group gap={8} px={14} py={10}>
        <TextInput
          aria-label="Name of an application"
          placeholder="Application, such as Phone"
          maxLength={60}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <ActButton
          variant="default"
          reason={reason ?? full ?? (name.trim() ? undefined : 'Name the application first.')}
          onClick={() => void add()}
        >
          Add password
        </ActButton>
      </Group>
      {made && <PasswordOnce address={user.address} password={made} close={() => setMade(undefined)} />}
    </Input.Wrapper>
  )
}
