import { NativeSelect, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useId, useRef, useState } from 'react'
import { count } from '../look/format.ts'
import css from './board.module.css'
import { ColumnView } from './ColumnView.tsx'
import { MoveMenu } from './MoveMenu.tsx'
import { type BoardCard, type BoardColumn, moved } from './moves.ts'
import { useCardDrag } from './useCardDrag.ts'
import { useCardKeys } from './useCardKeys.ts'

interface Move {
  column: string
  /** Place among the other cards of the column. */
  index: number
}
interface Props<C extends BoardCard> {
  label: string
  columns: readonly BoardColumn<C>[]
  nameOf: (card: C) => string
  /** Renders a card. All cards have the same height. */
  draw: (card: C) => ReactNode
  /** Height of a card with the gap below, in pixels. */
  cardHeight?: number
  onOpen?: (card: C) => void
  /** Absent: cards cannot be moved. The caller moves the card at once, and moves it back if the server refuses. */
  onMove?: (card: C, to: Move) => void
  /** Why a card cannot be moved into a column. */
  whyNot?: (card: C, column: string) => string | undefined
}

const HELP = 'Space picks the card up, the arrow keys move it, Space drops it, Escape puts it back. Enter opens it.'

/**
 * A board of cards in columns. Cards move by pointer, keys or menu; a phone shows one column. The parent sets the
 * height.
 */
export function Board<C extends BoardCard>(props: Props<C>) {
  const { label, columns, nameOf, draw, cardHeight = 92, onOpen, onMove, whyNot } = props
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const board = useRef<HTMLDivElement>(null)
  const helpId = useId()
  const [chosen, setChosen] = useState<string>()
  const {
    focused,
    setFocus,
    held,
    said,
    put,
    cardOf,
    handlers: keys,
  } = useCardKeys({
    board,
    columns,
    nameOf,
    onOpen,
    onMove,
    whyNot,
  })
  const { drag, handlers } = useCardDrag({
    board,
    cardHeight,
    idOf: (text) => columns.flatMap(({ cards }) => cards).find(({ id }) => String(id) === text)?.id,
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
        {...keys}
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
      <VisuallyHidden aria-live="assertive">{said}</VisuallyHidden>
    </div>
  )
}
