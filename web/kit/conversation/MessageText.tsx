import { Anchor, Button } from '@mantine/core'
import { useState } from 'react'
import { count } from '../look/format.ts'
import { splitLinks } from '../look/links.ts'
import css from './conversation.module.css'
import { CUT, markedParts } from './messages.ts'

/**
 * The text of a message with links, search marks and its own text direction. Each part is an element, so that a
 * browser's translation changes no text node that React owns.
 */
export function MessageText({ text, words }: { text: string; words: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const isCut = text.length > CUT && !isWhole
  return (
    <>
      <div className={css.text} dir="auto">
        {splitLinks(isCut ? `${text.slice(0, CUT)}…` : text).map(({ at, text: part, href }) =>
          href ? (
            <Anchor key={at} href={href} target="_blank" rel="noopener" inherit underline="always">
              <Marked text={part} words={words} />
            </Anchor>
          ) : (
            <Marked key={at} text={part} words={words} />
          ),
        )}
      </div>
      {isCut && (
        <Button size="xs" variant="default" mt={4} onClick={() => setIsWhole(true)}>
          Show all {count(text.length)} characters
        </Button>
      )}
    </>
  )
}

const Marked = ({ text, words }: { text: string; words: string }) => (
  <span>
    {markedParts(text, words).map(({ at, text: part, isFound }) =>
      isFound ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
    )}
  </span>
)
