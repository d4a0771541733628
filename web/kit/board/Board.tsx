import { NativeSelect } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { count } from '../look/format.ts'
import css from './board.module.css'
import { ColumnView } from './ColumnView.tsx'
import { MoveMenu } from './MoveMenu.tsx'
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
import { useCardDrag } from './useCardDrag.ts'

export interface Move {
  column: string
  /** Place among the other cards of the column. */
  index: number
}
interface Props<C extends BoardCard> {
  label: string
  columns: readonly BoardColumn<C>[]
  nameOf: (card: C) => string
  /** What a card shows; its height is the same for all. */
  draw: (card: C) => ReactNode
  /** Pixels that a card takes with the gap below. */
  cardHeight?: number
  onOpen?: (card: C) => void
  /** Without it nothing can be moved. The caller puts the card there at once, or back when the server refuses. */
  onMove?: (card: C, to: Move) => void
  /** Why a card cannot go into a column. */
  whyNot?: (card: C, column: string) => string | undefined
}

const HELP = 'Space picks the card up, the arrow keys move it, Space drops it, Escape puts it back. Enter opens it.'

/** Cards in columns, moved by pointer, by keys or by their menu; a phone shows one column. The parent gives the height. */
export function Board<C extends BoardCard>(props: Props<C>) {
  const { label, columns, nameOf, draw, cardHeight = 92, onOpen, onMove, whyNot } = props
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const board = useRef<HTMLDivElement>(null)
  const helpId = useId()
  const [focus, setFocus] = useState<CardId>()
  const [follows, setFollows] = useState(0)
  const [held, setHeld] = useState<{ id: CardId; to: Spot }>()
  const [said, setSaid] = useState('')
  const [chosen, setChosen] = useState<string>()
  const cards = columns.flatMap((column) => column.cards)
  const cardOf = (id: CardId | undefined) => cards.find((card) => card.id === id)

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
  const { drag, handlers } = useCardDrag({
    board,
    cardHeight,
    idOf: (text) => cards.find(({ id }) => String(id) === text)?.id,
    canDrag: onMove !== undefined,
    onTap: (id) => {
      const card = cardOf(id)
      setFocus(id)
      if (card) onOpen?.(card)
    },
    onDrop: put,
  })
  const inHand = drag ?? held
  const shown = inHand ? moved(columns, inHand.id, inHand.to) : columns
  const focused = cardOf(focus) ? focus : cards[0]?.id
  const at = spotOf(shown, focused)

  // a card that went to another column is another element there
  // biome-ignore lint/correctness/useExhaustiveDependencies: `follows` asks for the focus
  useEffect(() => {
    if (follows) board.current?.querySelector<HTMLElement>(`[data-card="${focused}"]`)?.focus()
  }, [follows])
  const keepFocus = () => setFollows(follows + 1)

  const onKeyDown = (event: KeyboardEvent) => {
    const isCard = event.target instanceof HTMLElement && event.target.dataset.card !== undefined
    const card = cardOf(focused)
    if (!isCard || !card || !at || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === ' ' && held) put(held.id, held.to)
    else if (event.key === ' ' && onMove) {
      setHeld({ id: card.id, to: at })
      setSaid(`Picked up ${nameOf(card)}. ${placeWords(shown, at)}.`)
    } else if (event.key === 'Escape' && held) {
      setHeld(undefined)
      setSaid(`${nameOf(card)} is back in its place.`)
    } else if (event.key === 'Enter' && !held) onOpen?.(card)
    else if (held) {
      const to = movedByKey(shown, at, event.key)
      if (!to && !/^Arrow/.test(event.key)) return
      if (to) {
        setHeld({ id: held.id, to })
        setSaid(`${placeWords(moved(columns, held.id, to), to)}.`)
      }
    } else {
      const next = focusByKey(shown, at, event.key)
      if (!next) return
      setFocus(next.id)
    }
    event.preventDefault()
    keepFocus()
  }
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const card = cards.find(({ id }) => String(id) === target.dataset.card)
    if (card && !held) setFocus(card.id)
  }
  /** Who leaves the board puts the card back. */
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (held && relatedTarget && !currentTarget.contains(relatedTarget)) setHeld(undefined)
  }
  const menu =
    onMove &&
    ((card: C) => (
      <MoveMenu
        name={nameOf(card)}
        columns={columns.flatMap(({ id, title, cards: there }) =>
          there.includes(card) ? [] : [{ id, title, reason: whyNot?.(card, id) }],
        )}
        onMove={(id) => put(card.id, { column: columns.findIndex((column) => column.id === id), index: 0 })}
      />
    ))
  const current = columns.find(({ id }) => id === chosen) ?? columns[0]
  const draggedCard = drag && cardOf(drag.id)
  return (
    <div className={css.board}>
      {phone && (
        <NativeSelect
          aria-label="Column"
          m="8px var(--ink-gutter)"
          value={current?.id}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={columns.map(({ id, title, cards: { length } }) => ({ value: id, label: `${title}, ${count(length)}` }))}
        />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: columns of cards are no fieldset */}
      <div
        ref={board}
        role="group"
        aria-label={label}
        className={css.columns}
        data-dragging={drag ? true : undefined}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={onBlur}
        {...handlers}
      >
        {shown.map(
          (column, n) =>
            (!phone || column.id === current?.id) && (
              <ColumnView
                key={column.id}
                column={column}
                index={n}
                cardHeight={cardHeight}
                focused={focused}
                held={inHand?.id}
                helpId={helpId}
                nameOf={nameOf}
                draw={draw}
                menu={menu}
              />
            ),
        )}
      </div>
      {drag && draggedCard && (
        <div
          aria-hidden
          className={css.ghost}
          style={{ left: drag.x, top: drag.y, width: drag.width, height: cardHeight - 8 }}
        >
          {draw(draggedCard)}
        </div>
      )}
      <div id={helpId} hidden>
        {HELP}
      </div>
      <div className={css.hidden} aria-live="assertive">
        {said}
      </div>
    </div>
  )
}
