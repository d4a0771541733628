import type { Attachment, FileConfig, ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import { MOST_FILES, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { MiB } from '@innkeeper/contract/kit/transfer'
import { ActionIcon, Anchor, Button, FileButton, Progress, Stack, Text } from '@mantine/core'
import { IconPaperclip, IconX } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { listed, useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { bytes, count, counted, megabytes } from '../../kit/look/format.ts'
import { filesApi } from '../files/api.ts'
import { sendInParts } from '../files/uploads/sendInParts.ts'
import { apiOf, hintOf, openable } from './api.ts'
import { isPicture, Picture } from './Picture.tsx'
import css from './trackers.module.css'

/** Larger files are sent in parts that survive a broken connection. */
const LARGE = 4 * 2 ** 20
interface Sent {
  name: string
  size: number
  sent: number
  message?: string | undefined
  stop: AbortController
}

/** Why these files cannot be attached, checked before the first one is sent. */
function refusalOf(chosen: readonly File[], { maxFiles, maxSizeMb }: FileConfig, there: number): string | undefined {
  const free = Math.max(0, maxFiles - there)
  if (chosen.length > free)
    return `${counted(chosen.length, ['file', 'files'])} chosen, and ${free} of ${maxFiles} can still be attached. Nothing was sent.`
  const large = chosen.filter(({ size }) => size > maxSizeMb * MiB).map(({ name }) => name)
  return large.length ? `Larger than ${megabytes(maxSizeMb)}: ${listed(large)}. Nothing was sent.` : undefined
}

/** Files of an item. Pictures and PDF open in the browser, others are saved. */
export default function FilesOfItem({ tracker, item: { id, files } }: { tracker: Tracker; item: ItemPage }) {
  const api = apiOf(tracker)
  const lacking = useReason()
  const [sending, setSending] = useState<readonly Sent[]>([])
  const [refusal, setRefusal] = useState('')
  const add = async (chosen: File[]) => {
    const config = await attempt(() => api.fileConfig(), [])
    const refused = config && refusalOf(chosen, config, files.length)
    setRefusal(refused ?? '')
    if (refused) return
    const inParts = (file: File) => file.size > LARGE && !lacking(filesApi.beginUpload)
    const [large, small] = [chosen.filter(inParts), chosen.filter((file) => !inParts(file))]
    // many files go in several calls; the first that is refused ends them
    for (let n = 0; n < small.length; n += MOST_FILES)
      if (!(await attempt(() => api.attach({ id, files: small.slice(n, n + MOST_FILES) }), [hintOf[tracker]]))) return
    for (const file of large) await attempt(() => addLarge(file), [hintOf[tracker]])
  }
  /** Sends a large file; the upload resumes after a broken connection or a reload of the page. */
  const addLarge = async (file: File) => {
    const stop = new AbortController()
    const put = (state: Partial<Sent>) =>
      setSending((now) => now.map((one) => (one.stop === stop ? { ...one, ...state } : one)))
    setSending((now) => [...now, { name: file.name, size: file.size, sent: 0, stop }])
    try {
      const { id: fileId } = await sendInParts(file, { isPrivate: true }, stop.signal, ({ state: _, ...now }) =>
        put(now),
      )
      await api.attach({ id, fileIds: [fileId] })
    } catch (error) {
      if (!stop.signal.aborted) throw error
    } finally {
      setSending((now) => now.filter((one) => one.stop !== stop))
    }
  }
  const open = async (file: Attachment) => {
    const path = api.download.endpoint.path.replace(':id', String(id)).replace(':fileId', String(file.id))
    const address = await attempt(() => openable(path, 'inline=true'), [])
    if (address) globalThis.open(address, '_blank', 'noopener')
  }
  const remove = async (file: Attachment) => {
    const sure = await confirm({ title: `Delete ${file.name}?`, verb: 'Delete file', danger: true })
    if (sure) await attempt(() => api.removeFiles({ id, ids: [file.id] }), [hintOf[tracker]])
  }
  const reason = lacking(api.attach)
  const onDrop = (event: DragEvent) => {
    if (reason || event.dataTransfer.files.length === 0) return
    event.preventDefault()
    void add([...event.dataTransfer.files])
  }
  return (
    <Section
      title="Files"
      hint={files.length > 0 ? count(files.length) : undefined}
      aside={
        !reason && (
          <FileButton multiple onChange={(chosen) => void (chosen.length && add(chosen))}>
            {(props) => (
              <Button {...props} size="xs" variant="default" leftSection={<IconPaperclip size={14} />}>
                Attach
              </Button>
            )}
          </FileButton>
        )
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here; the button does the same */}
      <div className={css.drop} onDragOver={(event) => !reason && event.preventDefault()} onDrop={onDrop}>
        {refusal && (
          <Text c="error" role="alert">
            {refusal}
          </Text>
        )}
        {files.length === 0 && sending.length === 0 && (
          <Text c="dimmed">{reason ? 'No file.' : 'Drop pictures and files here, or attach them.'}</Text>
        )}
        {files.some(isPicture) && (
          <div className={css.pictures}>
            {files.filter(isPicture).map((file) => (
              <Picture key={file.id} tracker={tracker} id={id} file={file} onOpen={() => void open(file)} />
            ))}
          </div>
        )}
        {sending.map(({ name, size, sent, message, stop }) => (
          <Stack key={`${name} ${size}`} gap={4}>
            <div className={css.side}>
              <Text className={css.name}>
                {name}{' '}
                <Text span c="dimmed" fz="xs">
                  {bytes(sent)} of {bytes(size)}
                </Text>
              </Text>
              <ActionIcon variant="subtle" color="secondary" aria-label={`Stop ${name}`} onClick={() => stop.abort()}>
                <IconX size={14} />
              </ActionIcon>
            </div>
            <Progress value={(100 * sent) / size} size={3} aria-label={`Upload of ${name}`} />
            {message && (
              <Text c="dimmed" fz="xs">
                {message}
              </Text>
            )}
          </Stack>
        ))}
        {files.map((file) => (
          <div key={file.id} className={css.side}>
            <Text className={css.name}>
              <Anchor component="button" type="button" onClick={() => void open(file)}>
                {file.name}
              </Anchor>{' '}
              <Text span c="dimmed" fz="xs">
                {bytes(file.size)}
              </Text>
            </Text>
            {!lacking(api.removeFiles) && (
              <ActionIcon
                variant="subtle"
                color="secondary"
                aria-label={`Delete ${file.name}`}
                onClick={() => void remove(file)}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </div>
        ))}
      </div>
    </Section>
  )
}
