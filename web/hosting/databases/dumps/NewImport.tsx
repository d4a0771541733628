import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Button, FileInput, Group, Modal, Progress, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { filesApi } from '../../../desk/files/api.ts'
import { type Sending, sendWhole } from '../../../desk/files/uploads/sending.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, bytes } from '../../../kit/look/format.ts'
import { databasesApi } from '../api.ts'

type From = 'computer' | 'files' | 'folder'

/** Sends a dump to the server of a database, which reads it before anybody can import it. */
export default function NewImport({ database, close }: { database: Database; close: () => void }) {
  const { id, name, domain } = database
  const lacking = useReason()
  const [from, setFrom] = useState<From>('computer')
  const [file, setFile] = useState<File | null>(null)
  const [fileId, setFileId] = useState<number | null>(null)
  const [path, setPath] = useState('')
  const [sending, setSending] = useState<Sending>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const noUpload = from === 'computer' ? lacking(filesApi.beginUpload) : undefined
  const wanting = from === 'computer' ? !file : from === 'files' ? fileId === null : !path.trim()

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
      const source = from === 'folder' ? { path: path.trim() } : { fileId: uploaded?.id ?? fileId ?? undefined }
      if (uploaded) setFileId(uploaded.id)
      if (uploaded) setFrom('files')
      await databasesApi.lookAtDump({ id, ...source })
      void readAgain(['databases', 'workflows', 'files'])
      close()
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
  return (
    <Modal opened onClose={close} title={`Import a dump into ${name}`} size={560}>
      <Stack gap={16}>
        <Text c="dimmed" fz="xs">
          The dump is read first: you see what the import would rewrite, leave out or refuse. {name} changes only after
          you start the import, and a website that no longer answers afterwards is rolled back by itself.
        </Text>
        <SegmentedControl
          aria-label="Where the dump is"
          value={from}
          disabled={busy}
          onChange={(value) => setFrom(value as From)}
          data={[
            { value: 'computer', label: 'This computer' },
            { value: 'files', label: 'File manager' },
            { value: 'folder', label: 'Home folder' },
          ]}
        />
        {from === 'computer' && (
          <FileInput
            label="Dump"
            description=".sql, .sql.gz or .sql.zst. An upload that breaks off continues. The file stays in your private files."
            placeholder="Choose a file"
            value={file}
            disabled={busy}
            onChange={setFile}
            error={beside('fileId')}
          />
        )}
        {from === 'files' && (
          <PickOne
            label="Dump"
            placeholder="Search files"
            call={filesApi.list}
            nameOf={({ name: called }) => called}
            hint={({ size, createdAt }) => `${bytes(size)}, ${ago(createdAt)}`}
            value={fileId}
            valueName={file?.name}
            onChange={setFileId}
            error={beside('fileId')}
            reason={lacking(filesApi.list)}
          />
        )}
        {from === 'folder' && (
          <TextInput
            label="Path"
            description={`In the home folder of the account of ${domain}, which has to be able to read the file`}
            placeholder="backup/shop.sql.gz"
            autoComplete="off"
            spellCheck={false}
            value={path}
            disabled={busy}
            onChange={({ currentTarget }) => setPath(currentTarget.value)}
            error={beside('path')}
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
        {error && !beside('fileId') && !beside('path') && (
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
            reason={noUpload ?? (wanting ? 'Choose a dump first.' : undefined)}
            onClick={() => void go()}
          >
            Read dump
          </ActButton>
        </Group>
      </Stack>
    </Modal>
  )
}
