import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import css from './CodeBlock.module.css'
import { kitWords } from './texts.ts'

/** Text to copy into a terminal. `label` names the text: "enrolment command". */
export const CodeBlock = ({ children, label }: { children: string; label: string }) => (
  <div className={css.block}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
    <section className={css.scroll} tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
    <CopyButton value={children}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? kitWords().copied : kitWords().copy}>
          <ActionIcon className={css.copy} aria-label={`${kitWords().copy}: ${label}`} onClick={copy}>
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  </div>
)
