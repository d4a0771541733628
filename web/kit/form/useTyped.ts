import { useState } from 'react'

interface Rules {
  /** The value of the form; '' is an empty field. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** Formats a value for the field. */
  write: (value: string) => string
  /** Parses a complete text, on each keystroke. */
  read: (text: string) => string | undefined
  /** Completes a partial text when the person leaves the field or presses Enter. */
  guess?: (text: string) => string | undefined
}

/**
 * A field for free text. While somebody types, the form keeps the last valid value; a text that is invalid on blur
 * becomes ''. Until then `isUnread` is true and `useCallForm` refuses to save.
 */
export function useTyped({ value, onChange, onBlur, write, read, guess }: Rules) {
  const [typing, setTyping] = useState<{ text: string; before: string; sent: string }>()
  const [left, setLeft] = useState(false)
  // a value set from outside replaces the text; some screens ignore '' and keep the former value
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
    /** Whether the text is not a valid value. */
    isUnread,
    /** Whether the text is not a valid value and the person has left the field, so that the field shows the error. */
    isWrong: isUnread && left,
    /** Sets a value that was chosen by another control. */
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

/** Attribute of an input whose text must not be saved. */
export const WRONG = 'data-wrong'

/** Focuses the first field of a form with an invalid text. */
export function focusWrong(form: Element): boolean {
  const field = form.querySelector<HTMLElement>(`[${WRONG}]`)
  field?.focus()
  return field !== null
}
