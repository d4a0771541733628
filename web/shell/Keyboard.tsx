import { Kbd, Modal, SimpleGrid, Text } from '@mantine/core'
import { distinct, type KeyWords, useKeyGroups } from '../kit/frame/keys.ts'
import css from './Keyboard.module.css'

const everywhere: KeyWords = [
  ['Ctrl K', 'Search or go to, and acts of this page'],
  ['/', 'Search the menu'],
  ['C', 'New bug, feature request or ticket'],
  ['Esc', 'Close what is open'],
  ['?', 'This help'],
]

/** Every key of the open screen: those of the frame, and those that the parts of the screen list. */
export function Keyboard({ opened, close }: { opened: boolean; close: () => void }) {
  const groups = [...distinct(useKeyGroups()), { title: 'Everywhere', keys: everywhere }]
  return (
    <Modal opened={opened} onClose={close} title="Keyboard" size={groups.length > 1 ? 680 : 380}>
      <SimpleGrid cols={{ base: 1, sm: Math.min(2, groups.length) }} spacing={28} verticalSpacing="lg">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <Text fw={600} mb={8}>
              {title}
            </Text>
            <dl className={css.keys}>
              {keys.map(([key, act]) => (
                <div key={key}>
                  <dt>{act}</dt>
                  <dd>
                    <Kbd>{key}</Kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </SimpleGrid>
    </Modal>
  )
}
