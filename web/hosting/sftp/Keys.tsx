import type { SftpAccess, SftpKey } from '@innkeeper/contract/hosting/sftp'
import { ActionIcon, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { AddKey } from './AddKey.tsx'
import { removeKey } from './acts.ts'
import { sftpApi } from './api.ts'
import css from './Keys.module.css'
import { keyState } from './words.ts'

/** The keys with their names, dates of addition and expiry. */
export function Keys({ access }: { access: SftpAccess }) {
  const lacking = useReason()
  const [adding, setAdding] = useState(false)
  const never = access.refused ?? (access.state === 'on' ? undefined : 'SFTP is not on.')
  return (
    <Section
      title="Keys"
      hint={access.keys.length ? counted(access.keys.length, ['key', 'keys']) : undefined}
      pad={false}
      aside={
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(sftpApi.addKey) ?? never}
          onClick={() => setAdding(true)}
        >
          Add key…
        </ActButton>
      }
    >
      <ul className={css.keys}>
        {access.keys.map((key) => (
          <Key
            key={key.id}
            of={key}
            access={access}
            reason={lacking(sftpApi.removeKey) ?? access.refused ?? undefined}
          />
        ))}
      </ul>
      {access.keys.length === 0 && (
        <Text c="dimmed" p={14}>
          No key signs in yet. The owner’s public key is the line in a file such as <Mono>id_ed25519.pub</Mono>.
        </Text>
      )}
      {adding && <AddKey access={access} close={() => setAdding(false)} />}
    </Section>
  )
}

function Key({ of: key, access, reason }: { of: SftpKey; access: SftpAccess; reason: string | undefined }) {
  const { comment, type, fingerprint, addedBy, addedAt, expiresAt, state } = key
  const name = comment || type
  return (
    <li className={css.key}>
      <div className={css.name}>
        <Text truncate title={name}>
          {name}
        </Text>
        <Mono fz="xs" c="dimmed" truncate title={`${type} ${fingerprint}`}>
          {fingerprint}
        </Mono>
      </div>
      <Text c="dimmed" fz="xs" className={css.wide}>
        {addedBy}, {ago(addedAt)}
        <br />
        {expiresAt ? `until ${moment(expiresAt)}` : 'does not expire'}
      </Text>
      <StatusBadge state={keyState(key)} />
      <Tooltip label={reason ?? `Remove ${name}`}>
        <ActionIcon
          variant="subtle"
          color="secondary"
          aria-label={`Remove ${name}`}
          data-disabled={reason !== undefined || state === 'removing'}
          aria-disabled={reason !== undefined || state === 'removing'}
          onClick={() => reason === undefined && state !== 'removing' && void removeKey(access, key)}
        >
          <IconX size={15} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
