import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { mentionAt, type Person, type Typed, withMention } from './mentions.ts'

export type SearchPeople = (words: string, signal: AbortSignal) => Promise<readonly Person[]>
interface Rules {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  search: SearchPeople
  onPick: (text: string, person: Person) => void
}

/** Suggests people while an @ is typed: the server searches, arrow keys choose, Enter or Tab inserts. */
export function useMentions({ field, text, search, onPick }: Rules) {
  const [typed, setTyped] = useState<Typed>()
  const [people, setPeople] = useState<readonly Person[]>([])
  const [nth, setNth] = useState(0)
  const [words] = useDebouncedValue(typed?.words, 150)

  useEffect(() => {
    if (words === undefined) return
    const asked = new AbortController()
    search(words, asked.signal).then(
      (found) => {
        if (asked.signal.aborted) return
        setPeople(found)
        setNth(0)
      },
      () => setPeople([]), // without suggestions, the text can still be sent; the failure is not shown
    )
    return () => asked.abort()
  }, [words, search])

  const close = () => setTyped(undefined)
  const pick = (person: Person) => {
    const element = field.current
    if (!typed || !element) return
    const next = withMention(text, element.selectionStart, typed, person.name)
    onPick(next.text, person)
    close()
    // set the caret after React has updated the text
    requestAnimationFrame(() => {
      element.focus()
      element.setSelectionRange(next.caret, next.caret)
    })
  }
  const isOpen = typed !== undefined && people.length > 0
  return {
    isOpen,
    people,
    nth,
    pick,
    close,
    /** Call this after each change of the text or the caret. */
    look: (element: HTMLTextAreaElement) => setTyped(mentionAt(element.value, element.selectionStart)),
    /** Handles a key of the list; answers whether the key was used. */
    onKey: (event: KeyboardEvent): boolean => {
      if (!isOpen || event.ctrlKey || event.metaKey) return false
      const chosen = people[nth]
      if (event.key === 'ArrowDown') setNth((nth + 1) % people.length)
      else if (event.key === 'ArrowUp') setNth((nth - 1 + people.length) % people.length)
      else if (event.key === 'Escape') close()
      else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) pick(chosen)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}
