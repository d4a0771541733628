import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { configsApi } from './api.ts'

/** The content of a file of a version; secrets are masked. */
export default function FileModal({ id, path, close }: { id: number; path: string; close: () => void }) {
  const { data, error } = useQuery({ ...configsApi.file.query({ id, path }), retry: false })
  return (
    <Dialog opened onClose={close} title={<Mono>{path}</Mono>} size={860}>
      {data ? <CodeBlock label="file">{data.text}</CodeBlock> : <Text c="dimmed">{error?.message ?? <Reading />}</Text>}
    </Dialog>
  )
}
