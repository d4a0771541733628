import type { SftpAccess } from '@innkeeper/contract/hosting/sftp'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { makePassword, removePassword, turnOff, turnOn } from './acts.ts'
import { sftpApi } from './api.ts'
import { Keys } from './Keys.tsx'
import { PasswordOnce } from './PasswordOnce.tsx'

/** The SFTP access of an account: address, user name and keys. */
export default function Access({ systemUserId }: { systemUserId: number }) {
  const { data: access, error } = useQuery(sftpApi.read.query({ id: systemUserId }))
  return (
    <>
      <Section
        title="SFTP access"
        hint={error?.message ?? access?.refused ?? 'access to the files of the account only'}
        aside={access && <Switch access={access} />}
      >
        {access ? <About access={access} /> : <Text c="dimmed">{error ? 'It could not be read.' : <Reading />}</Text>}
      </Section>
      {access && access.state !== 'off' && <Keys access={access} />}
    </>
  )
}

function Switch({ access }: { access: SftpAccess }) {
  const lacking = useReason()
  const isOn = access.state === 'on'
  const busy = isOn || access.state === 'off' ? undefined : 'The access is being changed: see its workflow.'
  return (
    <ActButton
      size="xs"
      variant={isOn ? 'default' : 'filled'}
      reason={lacking(sftpApi.update) ?? access.refused ?? busy}
      onClick={() => void (isOn ? turnOff(access) : turnOn(access))}
    >
      {isOn ? 'Turn off…' : 'Turn on'}
    </ActButton>
  )
}

function About({ access }: { access: SftpAccess }) {
  const { state, host, port, username, hostKeys } = access
  if (state === 'off')
    return (
      <Text c="dimmed">
        Off. Turned on, the owner signs in as <Mono>{username}</Mono> with a key or a password, sees only the files of
        this account, and gets no shell.
      </Text>
    )
  return (
    <Facts
      of={[
        ['Status', <StatusBadge key="status" state={access.refused ? 'suspended' : state} />],
        [
          'Sign in',
          <CodeBlock key="line" label="sftp command">{`sftp -P ${port} ${username}@${host ?? ''}`}</CodeBlock>,
        ],
        ['Host', <Mono key="host">{host ?? 'not known yet'}</Mono>],
        ['Port', <Mono key="port">{port}</Mono>],
        ['User', <Mono key="user">{username}</Mono>],
        ['Password', <Password key="password" access={access} />],
        [
          'Host keys',
          hostKeys.length
            ? hostKeys.map((key) => (
                <Mono key={key} display="block">
                  {key}
                </Mono>
              ))
            : 'not known yet',
        ],
      ]}
    />
  )
}

function Password({ access }: { access: SftpAccess }) {
  const lacking = useReason()
  const [made, setMade] = useState<string>()
  const { passwordSetAt, state, refused, username } = access
  const never = refused ?? (state === 'on' ? undefined : 'SFTP is not on.')
  return (
    <>
      <Text span mr={8}>
        {passwordSetAt ? `since ${moment(passwordSetAt)}` : 'none: keys alone'}
      </Text>
      <ActButton
        size="xs"
        variant="default"
        reason={lacking(sftpApi.setPassword) ?? never}
        onClick={() => void makePassword(access).then(setMade)}
      >
        {passwordSetAt ? 'New password…' : 'Make password…'}
      </ActButton>
      {passwordSetAt && (
        <ActButton
          size="xs"
          ml={8}
          variant="default"
          reason={lacking(sftpApi.removePassword) ?? never}
          onClick={() => void removePassword(access)}
        >
          Remove password…
        </ActButton>
      )}
      {made && <PasswordOnce username={username} password={made} close={() => setMade(undefined)} />}
    </>
  )
}
