import { Button, FileInput, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { ApiError } from '../../../kit/api/client.ts'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, bytes } from '../../../kit/look/format.ts'
import { filesApi } from '../api.ts'
import { type Sending, sendWhole } from './sending.ts'

type From = 'computer' | 'files' | 'place'

/** Where a large file comes from: this computer, the file manager, or a place that its dialog names. */
export function useSource(first: From) {
  const [from, setFrom] = useState<From>(first)
  const [file, setFile] = useState<File | null>(null)
  const [fileId, setFileId] = useState<number | null>(null)
  const [place, setPlace] = useState('')
  const [sending, setSending] = useState<Sending>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])

  /** Uploads the file if there is one, and begins the work with its id, or with the typed place. */
  const go = async (work: (source: { fileId?: number | undefined; place?: string }) => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      const uploaded =
        from === 'computer' && file
          ? await sendWhole(file, { isPrivate: true }, stop.current.signal, (now) =>
              setSending((is) => ({ ...is, ...now })),
            )
          : undefined
      // a refusal of the work does not send the file again
      if (uploaded) setFileId(uploaded.id)
      if (uploaded) setFrom('files')
      await work(from === 'place' ? { place: place.trim() } : { fileId: uploaded?.id ?? fileId ?? undefined })
    } catch (thrown) {
      if (stop.current.signal.aborted) return
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    } finally {
      setBusy(false)
      setSending(undefined)
    }
  }
  return {
    ...{ from, setFrom, file, setFile, fileId, setFileId, place, setPlace, sending, busy, error, go },
    beside: (field: string) => error?.body.fields?.[field],
    wanting: from === 'computer' ? !file : from === 'files' ? fileId === null : !place.trim(),
  }
}
type Source = ReturnType<typeof useSource>

interface Props {
  source: Source
  noun: string
  endings: string
  /** The words of the three places, in their order on the screen. */
  places: readonly { value: From; label: string }[]
  /** Fields of the place that the dialog names. */
  children: ReactNode
}

export function SourceFields({ source, noun, endings, places, children }: Props) {
  const lacking = useReason()
  const { from, setFrom, file, setFile, fileId, setFileId, sending, busy, beside } = source
  const share = file && sending?.sent !== undefined ? (100 * sending.sent) / Math.max(1, file.size) : undefined
  return (
    <Stack gap={16}>
      <SegmentedControl
        aria-label={`Where the ${noun} is`}
        value={from}
        disabled={busy}
        onChange={(value) => setFrom(value as From)}
        data={[...places]}
      />
      {from === 'computer' && (
        <FileInput
          label={capital(noun)}
          description={`${endings}. An upload that breaks off continues. The file stays in your private files.`}
          placeholder="Choose a file"
          value={file}
          disabled={busy}
          onChange={setFile}
          error={beside('fileId')}
        />
      )}
      {from === 'files' && (
        <PickOne
          label={capital(noun)}
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
      {from === 'place' && children}
      {sending && file && (
        <div>
          <Progress value={share ?? 0} aria-label={`Upload of ${file.name}`} />
          <Text c="dimmed" fz="xs" mt={4} aria-live="polite">
            {sending.message ?? `${bytes(sending.sent ?? 0)} of ${bytes(file.size)}`}
          </Text>
        </div>
      )}
    </Stack>
  )
}
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

interface EndProps {
  source: Source
  /** Fields that show their errors themselves. */
  fields: readonly string[]
  verb: string
  /** Why the work cannot begin, besides what the source lacks. */
  wanting: string | undefined
  onGo(): void
  close(): void
}

/** Errors without a field, and the buttons. */
export function SourceEnd({ source, fields, verb, wanting, onGo, close }: EndProps) {
  const lacking = useReason()
  const { from, busy, error, beside } = source
  return (
    <>
      {error && !fields.some(beside) && (
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
          reason={(from === 'computer' ? lacking(filesApi.beginUpload) : undefined) ?? wanting}
          onClick={onGo}
        >
          {verb}
        </ActButton>
      </Group>
    </>
  )
}
