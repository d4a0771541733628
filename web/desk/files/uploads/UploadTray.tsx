import { ActionIcon, Group, Progress, Text } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useStore } from '../../../kit/frame/store.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { bytes, counted } from '../../../kit/look/format.ts'
import css from '../Files.module.css'
import { cancelUpload, clearDone, retryUpload, type Upload, uploadStore } from './uploads.ts'

/** Running uploads, shown on every screen of the file manager. */
export function UploadTray() {
  const uploads = useStore(uploadStore)
  const open = uploads.filter(({ state }) => state !== 'done')
  const busy = open.some(({ state }) => state !== 'failed')
  useEffect(() => {
    if (!busy) return
    // leaving the page stops uploads; choosing the same file again resumes
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    globalThis.addEventListener('beforeunload', ask)
    return () => globalThis.removeEventListener('beforeunload', ask)
  }, [busy])
  if (!uploads.length) return null
  const failed = open.filter(({ state }) => state === 'failed').length
  const title = open.length
    ? `${counted(open.length, ['upload', 'uploads'])} open`
    : `${counted(uploads.length, ['file', 'files'])} uploaded`
  return (
    <section className={css.tray} aria-label="Uploads">
      <Group justify="space-between" className={css.trayHead}>
        <Text fw={600} aria-live="polite">
          {failed ? `${counted(failed, ['upload', 'uploads'])} failed` : title}
        </Text>
        <ActButton
          size="compact-xs"
          variant="subtle"
          color="secondary"
          onClick={clearDone}
          reason={open.length === uploads.length ? 'No upload is finished.' : undefined}
        >
          Clear finished
        </ActButton>
      </Group>
      <ul>
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  )
}

const colours = { waiting: 'secondary', sending: 'info', broken: 'warning', done: 'success', failed: 'error' } as const

function Row({ upload: { id, file, sent, state, message } }: { upload: Upload }) {
  const share = file.size ? (100 * sent) / file.size : state === 'done' ? 100 : 0
  const words = {
    waiting: 'Waiting',
    sending: `${bytes(sent)} of ${bytes(file.size)}`,
    broken: message,
    done: bytes(file.size),
    failed: message,
  }
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap={8}>
        <Text truncate title={file.name}>
          {file.name}
        </Text>
        <Group gap={2} wrap="nowrap">
          {state === 'failed' && (
            <ActionIcon aria-label={`Try ${file.name} again`} onClick={() => retryUpload(id)}>
              <IconRefresh size={15} />
            </ActionIcon>
          )}
          <ActionIcon
            aria-label={state === 'done' ? `Hide ${file.name}` : `Cancel ${file.name}`}
            onClick={() => cancelUpload(id)}
          >
            <IconX size={15} />
          </ActionIcon>
        </Group>
      </Group>
      <Progress value={share} size={3} color={colours[state]} aria-label={`${file.name}, ${Math.round(share)} %`} />
      <Text fz="xs" c={state === 'failed' ? 'error' : 'dimmed'} mt={3}>
        {words[state]}
      </Text>
    </li>
  )
}
