import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import css from './CodeBlock.module.css'
import { kitWords } from './texts.ts'

interface Props {
  children: string
  /** Names the text: "enrolment command". */
  label: string
  /** In a dialog: the button that copies has the first focus. */
  focused?: boolean
}

/** Text to copy into a terminal. */
export const CodeBlock = ({ children, label, focused }: Props) => (
  <div className={css.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
    <section className={css.scroll} tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
    <CopyButton value={children}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? kitWords().copied : kitWords().copy}>
          <ActionIcon
            className={css.copy}
            aria-label={`${kitWords().copy}: ${label}`}
            data-autofocus={focused || undefined}
            onClick={copy}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  </div>
)
