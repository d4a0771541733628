import { Anchor, Popover, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import css from './Term.module.css'
import { meaningOf } from './terms.ts'
import { kitWords } from './texts.ts'

/** A title or a label. A word of the trade explains itself when it is pressed, with the way to more. */
export function Term({ children }: { children: string }) {
  const [opened, setOpened] = useState(false)
  const meaning = meaningOf(children)
  if (!meaning) return children
  return (
    <Popover opened={opened} onChange={setOpened} width={280} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton
          className={css.term}
          title={kitWords().meaning}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {children}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={children}>
        <Text fz="sm" fw={400} c="var(--mantine-color-text)">
          {meaning.says}
        </Text>
        <Anchor href={meaning.more} target="_blank" rel="noreferrer" fz="sm" fw={400}>
          {kitWords().learnMore}
        </Anchor>
      </Popover.Dropdown>
    </Popover>
  )
}
