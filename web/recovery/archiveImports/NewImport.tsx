import { PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SourceEnd, SourceFields, useSource } from '../../desk/files/uploads/Source.tsx'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { serversApi } from '../../machines/servers/api.ts'
import { archiveImportsApi } from './api.ts'

const places = [
  { value: 'place', label: 'Server or address' },
  { value: 'computer', label: 'This computer' },
  { value: 'files', label: 'File manager' },
] as const
const fields = ['serverId', 'path', 'fileId', 'address', 'login', 'hostKey', 'domain']

/** Chooses an archive and the server that reads it, which is also the server that gets what the archive contains. */
export default function NewImport({ close }: { close: () => void }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const source = useSource('place')
  const { place, setPlace, busy, beside } = source
  const [serverId, setServerId] = useState<number | null>(null)
  const [domain, setDomain] = useState('')
  const [login, setLogin] = useState('')
  const [hostKey, setHostKey] = useState('')
  const isSftp = source.from === 'place' && place.trim().startsWith('sftp:')

  const go = () =>
    source.go(async ({ fileId, place: typed }) => {
      const isAddress = typed !== undefined && /^[a-z]+:/.test(typed)
      const { data } = await archiveImportsApi.look({
        ...{ serverId: serverId ?? 0, fileId },
        ...(typed !== undefined && (isAddress ? { address: typed } : { path: typed })),
        ...(isSftp && { login, ...(hostKey.trim() && { hostKey }) }),
        ...(domain.trim() && { domain }),
      })
      void readAgain(['archiveImports', 'workflows', 'files'])
      close()
      void navigate({ to: '/archive-imports/$id', params: { id: String(data.id) } })
    })
  return (
    <Dialog opened onClose={close} title="Look at an archive" size={560}>
      <Stack gap={16}>
        <Text c="dimmed" fz="xs">
          The server reads the archive to its end and writes nothing. You see what would be carried, changed or left out
          before you start the import.
        </Text>
        <PickOne
          label="Server"
          description="Gets the websites, databases and mail"
          placeholder="Search servers"
          required
          mono
          call={serversApi.list}
          nameOf={({ name }) => name}
          hint={({ type }) => type}
          value={serverId}
          onChange={setServerId}
          error={beside('serverId')}
          reason={lacking(serversApi.list)}
        />
        <SourceFields source={source} noun="archive" endings=".tar, .tar.gz, .tar.zst, .zip or .wpress" places={places}>
          <TextInput
            label="Path or address"
            description="On the server below /backup, /home, /mnt, /root, /srv, /tmp or /var/backups; or https://… or sftp://user@server/path"
            placeholder="/backup/alice.2026-11-28_05-10-01.tar"
            autoComplete="off"
            spellCheck={false}
            value={place}
            disabled={busy}
            onChange={({ currentTarget }) => setPlace(currentTarget.value)}
            error={beside('path') ?? beside('address')}
          />
          {isSftp && (
            <>
              {login.includes('\n') ? (
                <Textarea
                  label="Private key"
                  autosize
                  maxRows={6}
                  value={login}
                  onChange={({ currentTarget }) => setLogin(currentTarget.value)}
                  error={beside('login')}
                />
              ) : (
                <PasswordInput
                  label="Password or private key"
                  description="Kept until the archive is fetched"
                  autoComplete="off"
                  value={login}
                  onPaste={(event) => {
                    const text = event.clipboardData.getData('text')
                    if (!text.includes('PRIVATE KEY')) return
                    event.preventDefault() // the field has one line, and a key has several
                    setLogin(text)
                  }}
                  onChange={({ currentTarget }) => setLogin(currentTarget.value)}
                  error={beside('login')}
                />
              )}
              <TextInput
                label="Fingerprint of the host key"
                description="As ssh-keygen -l shows it. Without one, the first key that the server shows is taken."
                placeholder="SHA256:…"
                autoComplete="off"
                spellCheck={false}
                value={hostKey}
                onChange={({ currentTarget }) => setHostKey(currentTarget.value)}
                error={beside('hostKey')}
              />
            </>
          )}
        </SourceFields>
        <TextInput
          label="Name of the website"
          description="Only for a plain folder with a dump, which does not say it"
          placeholder="shop.example"
          autoComplete="off"
          spellCheck={false}
          value={domain}
          disabled={busy}
          onChange={({ currentTarget }) => setDomain(currentTarget.value)}
          error={beside('domain')}
        />
        <SourceEnd
          source={source}
          fields={fields}
          verb="Look at archive"
          wanting={serverId === null || source.wanting ? 'Choose a server and an archive first.' : undefined}
          onGo={() => void go()}
          close={close}
        />
      </Stack>
    </Dialog>
  )
}
