import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodeBlock } from '../look/CodeBlock.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  title: string
  /** What the secret is for. */
  text: ReactNode
  label: string
  secret: string
  /** Instead of: a new one can be made at any time. */
  note?: ReactNode
  close: () => void
}

/** Shows a secret once. Neither Escape, Enter nor a click beside the dialog closes it: the first focus is on Copy. */
export const SecretOnce = ({ title, text, label, secret, note, close }: Props) => (
  <Dialog opened onClose={close} title={title} size={560} closeOnClickOutside={false} closeOnEscape={false}>
    <Stack gap={14}>
      <Text>{text}</Text>
      <CodeBlock label={label} focused>
        {secret}
      </CodeBlock>
      <Text c="dimmed" fz="xs">
        {note ?? 'It is not shown again; a new one can be made at any time.'}
      </Text>
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  </Dialog>
)
