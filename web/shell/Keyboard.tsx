import { Kbd, SimpleGrid, Text } from '@mantine/core'
import { Dialog } from '../kit/dialogs/Dialog.tsx'
import { createButton, distinct, type KeyWords, useKeyGroups } from '../kit/frame/keys.ts'
import css from './Keyboard.module.css'
import { useFrameTexts } from './texts.ts'

/** Every key of the open screen: those of the frame, and those that the parts of the screen list. */
export function Keyboard({ opened, close }: { opened: boolean; close: () => void }) {
  const words = useFrameTexts()
  const create = createButton()?.textContent
  const here: KeyWords = create ? [['C', create]] : []
  const everywhere: KeyWords = [
    ['Ctrl K', words.keySearch],
    ['/', words.keyMenu],
    ...here,
    [here.length ? 'Shift C' : 'C', words.keyNew],
    ['Esc', words.keyEsc],
    ['?', words.keyHelp],
  ]
  const groups = [...distinct(useKeyGroups()), { title: words.everywhere, keys: everywhere }]
  return (
    <Dialog opened={opened} onClose={close} title={words.keyboard} size={groups.length > 1 ? 680 : 380}>
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
    </Dialog>
  )
}
