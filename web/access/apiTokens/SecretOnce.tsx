import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'

interface Props {
  title: string
  /** What the secret is for. */
  text: string
  label: string
  secret: string
  close: () => void
}

/** Shows a secret of a program once. */
export const SecretOnce = ({ title, text, label, secret, close }: Props) => (
  <Modal opened onClose={close} title={title} size={560} closeOnClickOutside={false}>
    <Stack gap={14}>
      <Text>{text}</Text>
      <CodeBlock label={label}>{secret}</CodeBlock>
      <Text c="dimmed" fz="xs">
        It is not shown again; a new one can be made at any time.
      </Text>
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  </Modal>
)
