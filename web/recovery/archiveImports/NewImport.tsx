import { Button, FileInput, Group, Modal, Progress, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { filesApi } from '../../desk/files/api.ts'
import { type Sending, sendWhole } from '../../desk/files/uploads/sending.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, bytes } from '../../kit/look/format.ts'
import { serversApi } from '../../machines/servers/api.ts'
import { archiveImportsApi } from './api.ts'

type From = 'server' | 'computer' | 'files'

/** Chooses an archive and the server that reads it, which is also the server that gets what the archive contains. */
export default function NewImport({ close }: { close: () => void }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const [serverId, setServerId] = useState<number | null>(null)
  const [from, setFrom] = useState<From>('server')
  const [file, setFile] = useState<File | null>(null)
  const [fileId, setFileId] = useState<number | null>(null)
  const [path, setPath] = useState('')
  const [sending, setSending] = useState<Sending>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const wanting = serverId === null || (from === 'computer' ? !file : from === 'files' ? fileId === null : !path.trim())

  const go = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const uploaded =
        from === 'computer' && file
          ? await sendWhole(file, { isPrivate: true }, stop.current.signal, (now) =>
              setSending((is) => ({ ...is, ...now })),
            )
          : undefined
      if (uploaded) {
        setFileId(uploaded.id)
        setFrom('files')
      }
      const source = from === 'server' ? { path: path.trim() } : { fileId: uploaded?.id ?? fileId ?? undefined }
      const { data } = await archiveImportsApi.look({ serverId: serverId ?? 0, ...source })
      void readAgain(['archiveImports', 'workflows', 'files'])
      close()
      void navigate({ to: '/archive-imports/$id', params: { id: String(data.id) } })
    } catch (thrown) {
      if (stop.current.signal.aborted) return
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    } finally {
      setBusy(false)
      setSending(undefined)
    }
  }
  const beside = (field: string) => error?.body.fields?.[field]
  const share = file && sending?.sent !== undefined ? (100 * sending.sent) / Math.max(1, file.size) : undefined
  const isBeside = ['serverId', 'path', 'fileId'].some(beside)
  return (
    <Modal opened onClose={close} title="Look at an archive" size={560}>
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
        <SegmentedControl
          aria-label="Where the archive is"
          value={from}
          disabled={busy}
          onChange={(value) => setFrom(value as From)}
          data={[
            { value: 'server', label: 'On the server' },
            { value: 'computer', label: 'This computer' },
            { value: 'files', label: 'File manager' },
          ]}
        />
        {from === 'server' && (
          <TextInput
            label="Path"
            description="Below /backup, /home, /mnt, /root, /srv, /tmp, /var/backups or /var/lib/innkeeper/imports"
            placeholder="/backup/alice.2026-11-28_05-10-01.tar"
            autoComplete="off"
            spellCheck={false}
            value={path}
            disabled={busy}
            onChange={({ currentTarget }) => setPath(currentTarget.value)}
            error={beside('path')}
          />
        )}
        {from === 'computer' && (
          <FileInput
            label="Archive"
            description=".tar, .tar.gz or .tar.zst. An upload that breaks off continues. The file stays in your private files."
            placeholder="Choose a file"
            value={file}
            disabled={busy}
            onChange={setFile}
            error={beside('fileId')}
          />
        )}
        {from === 'files' && (
          <PickOne
            label="Archive"
            placeholder="Search files"
            call={filesApi.list}
            nameOf={({ name }) => name}
            hint={({ size, createdAt }) => `${bytes(size)}, ${ago(createdAt)}`}
            value={fileId}
            valueName={file?.name}
            onChange={setFileId}
            error={beside('fileId')}
            reason={lacking(filesApi.list)}
          />
        )}
        {sending && file && (
          <div>
            <Progress value={share ?? 0} aria-label={`Upload of ${file.name}`} />
            <Text c="dimmed" fz="xs" mt={4} aria-live="polite">
              {sending.message ?? `${bytes(sending.sent ?? 0)} of ${bytes(file.size)}`}
            </Text>
          </div>
        )}
        {error && !isBeside && (
          <Text c="red" fz="sm" role="alert">
            {error.message}
          </Text>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            loading={busy}
            reason={
              (from === 'computer' ? lacking(filesApi.beginUpload) : undefined) ??
              (wanting ? 'Choose a server and an archive first.' : undefined)
            }
            onClick={() => void go()}
          >
            Look at archive
          </ActButton>
        </Group>
      </Stack>
    </Modal>
  )
}
