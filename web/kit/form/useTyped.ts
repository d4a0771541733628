import { useState } from 'react'

interface Rules {
  /** What the form holds; '' is an empty field. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** The value as the field shows it. */
  write: (value: string) => string
  /** A text that is whole, as soon as it is typed. */
  read: (text: string) => string | undefined
  /** A text that leaves something out, once the person leaves the field or presses Enter. */
  guess?: (text: string) => string | undefined
}

/**
 * A field that people type into freely. While somebody types, the form keeps the last value that could be read; a text
 * that cannot be read when they leave is ''. Until then `isUnread` is true, and `useCallForm` refuses to save.
 */
export function useTyped({ value, onChange, onBlur, write, read, guess }: Rules) {
  const [typing, setTyping] = useState<{ text: string; before: string; sent: string }>()
  const [left, setLeft] = useState(false)
  // a value that somebody else has put there replaces the text; some screens ignore '' and keep the value of before
  const isTyped = typing !== undefined && (value === typing.sent || value === typing.before)
  const text = isTyped ? typing.text : write(value)
  const isUnread = isTyped && text.trim() !== '' && read(text) === undefined

  const send = (next: string) => {
    if (next !== value) onChange(next)
  }
  const type = (next: string) => {
    const sent = next.trim() === '' ? '' : (read(next) ?? value)
    setTyping({ text: next, before: value, sent })
    setLeft(false)
    send(sent)
  }
  const commit = () => {
    if (!isTyped) return
    const found = text.trim() === '' ? '' : (read(text) ?? guess?.(text))
    setLeft(found === undefined)
    setTyping(found === undefined ? { text, before: value, sent: '' } : undefined)
    send(found ?? '')
  }
  return {
    text,
    /** The text is not a value yet. */
    isUnread,
    /** The same, once the person has left the field: time to say so. */
    isWrong: isUnread && left,
    /** For a value that was chosen beside the text. */
    put: (next: string) => {
      setTyping(undefined)
      send(next)
    },
    input: {
      value: text,
      onChange: (event: { currentTarget: { value: string } }) => type(event.currentTarget.value),
      onBlur: () => {
        commit()
        onBlur?.()
      },
      onKeyDown: (event: { key: string }) => {
        if (event.key === 'Enter') commit()
      },
    },
  }
}

/** On the input of a field whose text must not be saved. */
export const WRONG = 'data-wrong'

/** The first field of a form whose text could not be read, focused. */
export function focusWrong(form: Element): boolean {
  const field = form.querySelector<HTMLElement>(`[${WRONG}]`)
  field?.focus()
  return field !== null
}
