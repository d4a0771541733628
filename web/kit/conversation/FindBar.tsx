import { ActionIcon, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import css from './conversation.module.css'

interface Props {
  words: string
  /** Indexes of the messages that contain the words. */
  found: readonly number[]
  onWords: (words: string) => void
  onShow: (message: number) => void
}

/** Searches the conversation, because the browser's own search only sees rendered messages. */
export function FindBar({ words, found, onWords, onShow }: Props) {
  const [nth, setNth] = useState(-1)
  const step = (by: 1 | -1) => {
    const next = (nth + by + found.length) % found.length
    const message = found[next]
    if (message === undefined) return
    setNth(next)
    onShow(message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape' && words) onWords('')
    else return
    event.preventDefault()
  }
  const said = words.trim() ? (found.length ? `${nth < 0 ? '' : `${nth + 1} of `}${found.length}` : 'None') : ''
  return (
    <div className={css.find}>
      <span className={`num ${css.found}`} aria-live="polite">
        {said}
      </span>
      {found.length > 0 && (
        <>
          <ActionIcon aria-label="Previous match" onClick={() => step(-1)}>
            <IconChevronUp size={15} />
          </ActionIcon>
          <ActionIcon aria-label="Next match" onClick={() => step(1)}>
            <IconChevronDown size={15} />
          </ActionIcon>
        </>
      )}
      <TextInput
        aria-label="Find in conversation"
        placeholder="Find"
        leftSection={<IconSearch size={14} />}
        value={words}
        onChange={(event) => {
          setNth(-1)
          onWords(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
