import { Text } from '@mantine/core'
import { memo, type ReactNode, useMemo, useRef } from 'react'
import { useWindow } from '../list/useWindow.ts'
import { count } from '../look/format.ts'
import { Glyph } from '../look/Glyph.tsx'
import css from './board.module.css'
import type { BoardCard, BoardColumn, CardId } from './moves.ts'

interface Props<C extends BoardCard> {
  column: BoardColumn<C>
  index: number
  cardHeight: number
  focused: CardId | undefined
  /** The card being moved. */
  held: CardId | undefined
  /** Id of the text that explains the keys. */
  helpId: string
  nameOf: (card: C) => string
  draw: (card: C) => ReactNode
  menu: ((card: C) => ReactNode) | undefined
}

function Cards<C extends BoardCard>(props: Props<C>) {
  const { column, index, cardHeight, focused, held, helpId, nameOf, draw, menu } = props
  const { title, cards, limit } = column
  const scroller = useRef<HTMLDivElement>(null)
  const heights = useMemo(() => Array<number>(cards.length).fill(cardHeight), [cards.length, cardHeight])
  const { offsets, first, last } = useWindow(scroller, heights, 0)
  const isOver = limit !== undefined && cards.length > limit
  const drawn = cards.flatMap((card, n) => ((n >= first && n <= last) || card.id === focused ? [n] : []))
  return (
    <section className={css.column} aria-label={title} data-over={isOver || undefined}>
      <header className={css.head}>
        <Text fw={600} truncate title={title}>
          {title}
        </Text>
        <span className={`num ${css.count}`} title={isOver ? `Over the limit of ${limit}` : undefined}>
          {isOver && <Glyph shape="bang" colour="warning" />}
          {count(cards.length)}
          {limit !== undefined && ` of ${limit}`}
        </span>
      </header>
      <div ref={scroller} className={css.list} data-list={index}>
        {cards.length > 0 && (
          <ul style={{ height: offsets.at(-1) }} aria-label={`Cards of ${title}`}>
            {drawn.map((n) => {
              const card = cards[n]
              return (
                card && (
                  <li
                    key={card.id}
                    style={{ top: offsets[n], height: cardHeight }}
                    aria-posinset={n + 1}
                    aria-setsize={cards.length}
                  >
                    {/* biome-ignore lint/a11y/useSemanticElements: a card may hold links, as no button may */}
                    <div
                      role="group"
                      aria-roledescription="card"
                      aria-label={nameOf(card)}
                      aria-describedby={helpId}
                      tabIndex={card.id === focused ? 0 : -1}
                      data-card={card.id}
                      data-held={card.id === held || undefined}
                      className={css.card}
                    >
                      {draw(card)}
                      {menu && <div className={css.menu}>{menu(card)}</div>}
                    </div>
                  </li>
                )
              )
            })}
          </ul>
        )}
      </div>
    </section>
  )
}

/** A column: its title with count and limit, and the visible cards. */
export const ColumnView = memo(Cards) as typeof Cards
