import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'

const keys = [
  ['Ctrl K', 'Search or go to'],
  ['/', 'Search the menu'],
  ['J, K', 'Next and previous row of a list'],
  ['X', 'Select the row'],
  ['↵', 'Open the row'],
  ['C', 'New bug, feature request or ticket'],
  ['Ctrl ↵', 'Save the form that is open'],
  ['Esc', 'Close what is open'],
  ['?', 'This help'],
] as const

export const Keyboard = ({ opened, close }: { opened: boolean; close: () => void }) => (
  <Modal opened={opened} onClose={close} title="Keyboard" size={380}>
    <Stack gap={10}>
      {keys.map(([key, act]) => (
        <Group key={key} justify="space-between">
          <Text>{act}</Text>
          <Kbd>{key}</Kbd>
        </Group>
      ))}
    </Stack>
  </Modal>
)
