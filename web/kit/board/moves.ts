export type CardId = string | number
export interface BoardCard {
  id: CardId
}
export interface BoardColumn<C extends BoardCard> {
  id: string
  title: string
  /** The recommended maximum of cards in the column. */
  limit?: number
  cards: readonly C[]
}
/** A position on the board: a column, and an index among its cards. */
export interface Spot {
  column: number
  index: number
}

type Columns<C extends BoardCard> = readonly BoardColumn<C>[]

const bounded = (n: number, most: number) => Math.max(0, Math.min(most, n))

export function spotOf<C extends BoardCard>(columns: Columns<C>, id: CardId | undefined): Spot | undefined {
  for (const [column, { cards }] of columns.entries()) {
    const index = cards.findIndex((card) => card.id === id)
    if (index >= 0) return { column, index }
  }
  return undefined
}

/** The columns with a card at another position; the index counts the other cards of the column. */
export function moved<C extends BoardCard>(columns: Columns<C>, id: CardId, to: Spot): Columns<C> {
  const from = spotOf(columns, id)
  const card = from && columns[from.column]?.cards[from.index]
  if (!from || !card || (from.column === to.column && from.index === to.index)) return columns
  return columns.map((column, n) => {
    if (n !== from.column && n !== to.column) return column
    const cards = column.cards.filter((other) => other !== card)
    if (n === to.column) cards.splice(bounded(to.index, cards.length), 0, card)
    return { ...column, cards }
  })
}

const arrows: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The position that an arrow key moves a card to; undefined for other keys and at the edge of the board. */
export function movedByKey<C extends BoardCard>(columns: Columns<C>, at: Spot, key: string): Spot | undefined {
  const [byColumns, byRows] = arrows[key] ?? [0, 0]
  const column = at.column + byColumns
  const cards = columns[column]?.cards
  if (!cards || (byColumns === 0 && byRows === 0)) return undefined
  // the card's own column already contains the card
  const most = column === at.column ? cards.length - 1 : cards.length
  const index = bounded(at.index + byRows, most)
  return column === at.column && index === at.index ? undefined : { column, index }
}

/** The card that an arrow key, Home or End moves the focus to. Left and right skip empty columns. */
export function focusByKey<C extends BoardCard>(columns: Columns<C>, at: Spot, key: string): C | undefined {
  const here = columns[at.column]?.cards ?? []
  if (key === 'Home') return here[0]
  if (key === 'End') return here.at(-1)
  const [byColumns, byRows] = arrows[key] ?? [0, 0]
  if (byRows) return here[bounded(at.index + byRows, here.length - 1)]
  if (!byColumns) return undefined
  for (let n = at.column + byColumns; n >= 0 && n < columns.length; n += byColumns) {
    const cards = columns[n]?.cards ?? []
    if (cards.length) return cards[Math.min(at.index, cards.length - 1)]
  }
  return undefined
}

/** "In progress, position 2 of 5, over the limit of 4". */
export function placeWords<C extends BoardCard>(columns: Columns<C>, { column, index }: Spot): string {
  const { title, cards, limit } = columns[column] ?? { title: '', cards: [] }
  const over = limit !== undefined && cards.length > limit ? `, over the limit of ${limit}` : ''
  return `${title}, position ${index + 1} of ${cards.length}${over}`
}
