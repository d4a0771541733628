import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { type KeyWords, useKeyHelp } from '../frame/keys.ts'
import {
  type BoardCard,
  type BoardColumn,
  type CardId,
  focusByKey,
  moved,
  movedByKey,
  placeWords,
  type Spot,
  spotOf,
} from './moves.ts'

interface Rules<C extends BoardCard> {
  board: RefObject<HTMLElement | null>
  columns: readonly BoardColumn<C>[]
  nameOf: (card: C) => string
  onOpen: ((card: C) => void) | undefined
  onMove: ((card: C, to: { column: string; index: number }) => void) | undefined
  whyNot: ((card: C, column: string) => string | undefined) | undefined
}

const cardKeys: KeyWords = [
  ['← → ↑ ↓', 'Move between cards'],
  ['↵', 'Open the card'],
  ['Space', 'Pick the card up; the arrows move it, Space puts it down'],
  ['Esc', 'Put it back'],
]

/** Keyboard control: the focused card, the card being moved, and the announcements. */
export function useCardKeys<C extends BoardCard>({ board, columns, nameOf, onOpen, onMove, whyNot }: Rules<C>) {
  useKeyHelp('On the board', cardKeys)
  const [focus, setFocus] = useState<CardId>()
  const [follows, setFollows] = useState(0)
  const [held, setHeld] = useState<{ id: CardId; to: Spot }>()
  const [said, setSaid] = useState('')
  const shown = held ? moved(columns, held.id, held.to) : columns
  const cardOf = (id: CardId | undefined) => {
    const at = spotOf(columns, id)
    return at && columns[at.column]?.cards[at.index]
  }
  const focused = cardOf(focus) ? focus : columns.find(({ cards }) => cards.length > 0)?.cards[0]?.id
  const at = spotOf(shown, focused)

  const focusCard = () => board.current?.querySelector<HTMLElement>(`[data-card="${focused}"]`)?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `follows` asks for the focus
  useEffect(() => {
    if (follows) focusCard()
  }, [follows])
  // a card in another column is a new element, also when the caller moves the card some time after the drop
  // biome-ignore lint/correctness/useExhaustiveDependencies: another column asks for the focus
  useEffect(() => {
    if (follows && document.activeElement === document.body) focusCard()
  }, [at?.column])

  /** Moves a card, or announces why the card stays. */
  const put = (id: CardId, to: Spot) => {
    const card = cardOf(id)
    const from = spotOf(columns, id)
    const column = columns[to.column]
    setHeld(undefined)
    setFocus(id)
    if (!card || !from || !column || (from.column === to.column && from.index === to.index)) return
    const reason = from.column === to.column ? undefined : whyNot?.(card, column.id)
    if (reason) return setSaid(`${nameOf(card)} stays. ${reason}`)
    onMove?.(card, { column: column.id, index: to.index })
    setSaid(`${nameOf(card)} is now in ${placeWords(moved(columns, id, to), to)}.`)
  }
  /** Handles a key while a card is being moved; answers whether the key was used. */
  const withHeld = (id: CardId, card: C, here: Spot, key: string): boolean => {
    if (key === ' ') put(id, here)
    else if (key === 'Escape') {
      setHeld(undefined)
      setSaid(`${nameOf(card)} is back in its place.`)
    } else {
      const to = movedByKey(shown, here, key)
      if (!to) return key.startsWith('Arrow')
      setHeld({ id, to })
      setSaid(`${placeWords(moved(columns, id, to), to)}.`)
    }
    return true
  }
  const withFocus = (card: C, here: Spot, key: string): boolean => {
    const next = focusByKey(shown, here, key)
    if (next) setFocus(next.id)
    else if (key === 'Enter') onOpen?.(card)
    else if (key === ' ' && onMove) {
      setHeld({ id: card.id, to: here })
      setSaid(`Picked up ${nameOf(card)}. ${placeWords(shown, here)}.`)
    } else return false
    return true
  }
  return {
    focused,
    setFocus,
    held,
    said,
    put,
    cardOf,
    handlers: {
      onKeyDown: (event: KeyboardEvent) => {
        const isCard = event.target instanceof HTMLElement && event.target.dataset.card !== undefined
        const card = cardOf(focused)
        if (!isCard || !card || !at || event.ctrlKey || event.metaKey || event.altKey) return
        if (!(held ? withHeld(held.id, card, at, event.key) : withFocus(card, at, event.key))) return
        event.preventDefault()
        setFollows(follows + 1)
      },
      onFocus: ({ target }: FocusEvent<HTMLElement>) => {
        const { card: text } = target.dataset
        const card = columns.flatMap(({ cards }) => cards).find(({ id }) => String(id) === text)
        if (card && !held) setFocus(card.id)
      },
      /** Leaving the board cancels the move. */
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
        if (held && relatedTarget && !currentTarget.contains(relatedTarget)) setHeld(undefined)
      },
    },
  }
}
